import { join } from 'node:path';
import { commonEntry } from '../mcp-file.ts';
import type { KnownAgent } from '../agent-adapter.ts';
import { createCursorParser } from './cursor-output.ts';

/** Cursor: MCP servers stand in files only, so the project's is changed for the run. */
export const cursor: KnownAgent = {
  name: 'cursor',
  title: 'Cursor',
  bin: 'cursor-agent',
  install: 'see https://cursor.com/cli',
  supported: { from: '2026.1.28', below: '2027.0.0' },
  connects: true,
  resumes: 'untested',
  toolName: (tool) => `clifford-${tool}`,
  callLimitMs: undefined,
  // It reads its servers from files only: there is nothing to start it with.
  modelFree: undefined,
  mcpFile: { files: ['.cursor/mcp.json'], format: 'json', entry: commonEntry({}), folder: '.cursor' },
  createParser: createCursorParser,
  launch({ prompt, model, sessionId, mcp, projectRoot, args }) {
    // The file is one for all runs in the project: each has its own values in its environment.
    const env = Object.fromEntries(Object.keys(mcp.env).map((name) => [name, `\${env:${name}}`]));
    return {
      args: [
        '--print',
        '--output-format',
        'stream-json',
        '--force',
        '--trust',
        '--approve-mcps',
        ...(model === undefined ? [] : ['--model', model]),
        ...(sessionId === undefined ? [] : ['--resume', sessionId]),
        ...args,
      ],
      input: prompt,
      env: {},
      edits: [
        {
          path: join(projectRoot, '.cursor/mcp.json'),
          keys: ['mcpServers', 'clifford'],
          value: { command: mcp.command, args: [...mcp.args], env },
        },
      ],
    };
  },
};
