import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settling } from './settling.ts';
import type { AgentCli, McpCommand } from './agent-cli.ts';

/** Codex: its provider stands in the user's configuration, the MCP server in flags. */
export const codex: AgentCli = {
  name: 'codex',
  packageName: '@openai/codex',
  acpPackage: '@agentclientprotocol/codex-acp',
  settle: settling('codex'),
  async register(home, mcp, callLimitMs) {
    const lines = Object.entries(serverSettings(mcp, callLimitMs)).map(
      ([key, value]) => `${key} = ${value}\n`,
    );
    await appendFile(join(home, '.codex/config.toml'), `\n[mcp_servers.clifford]\n${lines.join('')}`);
  },
  async byHand(prompt, mcp, { project }, sessionId) {
    const settings = mcp ? serverSettings(mcp, 86_400_000) : {};
    const flags = Object.entries(settings).flatMap(([key, value]) => [
      '-c',
      `mcp_servers.clifford.${key}=${value}`,
    ]);
    const free = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const exec = sessionId === undefined ? ['exec', '-C', project] : ['exec', 'resume', sessionId];
    return { args: [...exec, ...free, ...flags, '-'], env: {}, input: prompt };
  },
  ownPaths: [/^\.codex\/(?!config\.toml$|AGENTS\.md$)/],
  sessionFiles: /^\.codex\/sessions\/.*\.jsonl$/,
  sessionId: /"thread_id":"([\w-]+)"/,
};

/** The server's keys, with values in TOML. */
function serverSettings(
  { command, args, env }: McpCommand,
  callLimitMs: number | undefined,
): Record<string, string> {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return {
    command: JSON.stringify(command),
    args: JSON.stringify(args),
    env: `{${variables.join(',')}}`,
    ...(callLimitMs === undefined ? {} : { tool_timeout_sec: String(callLimitMs / 1_000) }),
    startup_timeout_sec: '30',
    default_tools_approval_mode: '"approve"',
    required: 'true',
  };
}
