import { join } from 'node:path';
import { copilotModelFree } from './copilot-model-free.ts';
import { sharedMcpFile } from '../mcp-file.ts';
import type { KnownAgent } from '../agent-adapter.ts';
import { createCopilotParser } from './copilot-output.ts';
import { literalEnv } from '../literal-env.ts';
import { mcpServersText } from '../mcp-servers-text.ts';
import { CALL_LIMIT_MS } from '../raised-limits.ts';

const usageFile = (runDir: string) => join(runDir, 'usage.json');

/** GitHub Copilot CLI: the MCP server stands in a file of the run. It names its session only when it ends. */
export const copilot: KnownAgent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  bin: 'copilot',
  install: 'npm install -g @github/copilot',
  supported: { from: '1.0.102', below: '2.0.0' },
  connects: true,
  resumes: true,
  toolName: (tool) => `clifford-${tool}`,
  callLimitMs: CALL_LIMIT_MS,
  modelFree: copilotModelFree,
  mcpFile: sharedMcpFile(CALL_LIMIT_MS),
  createParser: (run) => createCopilotParser(run && usageFile(run.runDir)),
  launch({ prompt, model, sessionId, newSessionId, mcp, runDir, args }) {
    const config = join(runDir, 'mcp.json');
    const env = literalEnv(mcp.env);
    const clifford = { type: 'local', ...mcp, env, tools: ['*'], timeout: CALL_LIMIT_MS };
    // The same flag begins a session and goes on with it.
    const session = sessionId ?? newSessionId;
    return {
      args: [
        '--output-format',
        'json',
        '--allow-all',
        // Clifford's tools ask, not one that waits for a terminal.
        '--no-ask-user',
        '--additional-mcp-config',
        `@${config}`,
        '--usage-output-file',
        usageFile(runDir),
        '--session-id',
        session,
        ...(model === undefined ? [] : ['--model', model]),
        ...args,
      ],
      input: prompt,
      env: {},
      files: [{ path: config, text: mcpServersText(clifford) }],
      sessionId: session,
    };
  },
};
