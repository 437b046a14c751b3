import { codexAcp } from './codex-acp.ts';
import { codexModelFree } from './codex-model-free.ts';
import { codexAtModel } from './codex-at-model.ts';
import type { KnownAgent, McpServerCommand } from '../agent-adapter.ts';
import { createCodexParser } from './codex-output.ts';
import { codexServer, type Value } from './codex-server.ts';
import { BELOW_LIMIT, CALL_LIMIT_MS } from '../raised-limits.ts';

/**
 * Codex: everything is said by flags, which count more than its files.
 *
 * Its shell is confined to the project, by its own sandbox. Clifford's server is not: it is no command of the model's.
 */
export const codex: KnownAgent = {
  name: 'codex',
  title: 'Codex',
  bin: 'codex',
  install: 'npm install -g @openai/codex',
  supported: { from: '0.169.0', below: '1.0.0' },
  connects: true,
  resumes: true,
  toolName: (tool) => `mcp__clifford__${tool}`,
  callLimitMs: CALL_LIMIT_MS,
  atModel: codexAtModel,
  modelFree: codexModelFree,
  mcpFile: {
    files: ['.codex/config.toml'],
    format: 'toml',
    entry: ([command, ...args]) => ({
      path: ['mcp_servers', 'clifford'],
      value: { command, args, tool_timeout_sec: CALL_LIMIT_MS / 1_000, required: true, env: BELOW_LIMIT },
    }),
  },
  createParser: () => createCodexParser(),
  acp: codexAcp,
  launch: ({ prompt, model, sessionId, mcp, args }) => ({
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...settings({
        sandbox_mode: 'workspace-write',
        // Nobody is there to approve: what the sandbox refuses is refused.
        approval_policy: 'never',
        ...serverSettings(mcp),
      }),
      ...(model === undefined ? [] : ['--model', model]),
      ...args,
      // What stands before `resume` counts for it, too: the same arguments fit both.
      ...(sessionId === undefined ? [] : ['resume', sessionId]),
      '-',
    ],
    input: prompt,
    env: {},
  }),
};

function serverSettings(mcp: McpServerCommand): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(codexServer(mcp)).map(([key, value]) => [`mcp_servers.clifford.${key}`, value]),
  );
}

function settings(values: Readonly<Record<string, Value>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${toml(value)}`]);
}

/** A value as TOML. A text of JSON is one of TOML, but for the one character that only JSON leaves as it is. */
function toml(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(',')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, each]) => `${toml(key)}=${toml(each)}`)
      .join(',')}}`;
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F');
}
