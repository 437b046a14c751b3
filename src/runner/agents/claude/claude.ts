import { join } from 'node:path';
import { sharedMcpFile } from '../mcp-file.ts';
import { claudeAtModel } from './claude-at-model.ts';
import type { KnownAgent } from '../agent-adapter.ts';
import { claudeAcp } from './claude-acp.ts';
import { createClaudeParser } from './claude-output.ts';
import { literalEnv } from '../literal-env.ts';
import { waitingEnv } from './waiting-env.ts';
import { mcpServersText } from '../mcp-servers-text.ts';
import { CALL_LIMIT_MS } from '../raised-limits.ts';
import { z } from 'zod';
import { pickedFlags, requestLines, type ModelFreeStart } from '../model-free-start.ts';
import { jsonObject } from '../output/json-line.ts';

const accountSchema = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    response: z.looseObject({
      account: z.looseObject({
        tokenSource: z.string().default('none'),
        apiKeySource: z.string().optional(),
      }),
    }),
  }),
});

/** Told that it will be driven over stdin, it starts its servers before the first message. */
const claudeModelFree: ModelFreeStart = {
  args: ({ args }) => [
    '-p',
    '--verbose',
    '--input-format=stream-json',
    '--output-format=stream-json',
    ...pickedFlags(args, ['--mcp-config']),
    ...args.filter((arg) => arg === '--strict-mcp-config'),
  ],
  // It takes no notice of the version of JSON-RPC.
  input: () => requestLines({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } }),
  isLoggedIn: (line) => {
    const said = accountSchema.safeParse(jsonObject(line));
    if (!said.success) return undefined;
    const { tokenSource, apiKeySource = 'none' } = said.data.response.response.account;
    return tokenSource !== 'none' || apiKeySource !== 'none';
  },
};

/** What it may do unasked where it does not let everything be allowed: as root. */
const ROOT_TOOLS =
  'mcp__clifford,Bash,Edit,Write,NotebookEdit,Read,Glob,Grep,WebFetch,WebSearch,Skill,Task,Agent';

/**
 * The adapter of Claude Code, for root or for anybody else.
 *
 * @internal for tests
 */
export function claudeFor({ isRoot }: { readonly isRoot: boolean }): KnownAgent {
  const permissions = isRoot
    ? ['--permission-mode', 'acceptEdits', '--allowedTools', ROOT_TOOLS]
    : ['--permission-mode', 'bypassPermissions'];
  return {
    name: 'claude',
    title: 'Claude Code',
    bin: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    supported: { from: '2.1.330', below: '3.0.0' },
    connects: true,
    resumes: true,
    toolName: (tool) => `mcp__clifford__${tool}`,
    callLimitMs: CALL_LIMIT_MS,
    atModel: claudeAtModel,
    modelFree: claudeModelFree,
    mcpFile: sharedMcpFile(CALL_LIMIT_MS),
    createParser: createClaudeParser,
    acp: claudeAcp,
    launch({ prompt, model, sessionId, newSessionId, mcp, runDir, args, env }) {
      const config = join(runDir, 'mcp.json');
      const clifford = { type: 'stdio', ...mcp, env: literalEnv(mcp.env), timeout: CALL_LIMIT_MS };
      return {
        args: [
          '-p',
          '--verbose',
          '--output-format',
          'stream-json',
          // Beside the user's own servers: of two with one name this one counts.
          '--mcp-config',
          config,
          ...permissions,
          // Clifford's tools ask, not one that waits for a terminal.
          '--disallowedTools',
          'AskUserQuestion',
          ...(model === undefined ? [] : ['--model', model]),
          ...(sessionId === undefined ? ['--session-id', newSessionId] : ['--resume', sessionId]),
          ...args,
        ],
        input: prompt,
        env: waitingEnv(env),
        files: [{ path: config, text: mcpServersText(clifford) }],
        sessionId: sessionId ?? newSessionId,
      };
    },
  };
}

/** Claude Code: the MCP server stands in a file of the run. */
export const claude = claudeFor({ isRoot: process.getuid?.() === 0 });
