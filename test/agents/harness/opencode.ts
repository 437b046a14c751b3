import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settling } from './settling.ts';
import type { AgentCli, McpCommand } from './agent-cli.ts';

const userConfig = '.config/opencode/opencode.json';

/** OpenCode: its provider stands in the user's configuration, the MCP server in the environment of the run. */
export const opencode: AgentCli = {
  name: 'opencode',
  packageName: 'opencode-ai',
  settle: settling('opencode'),
  async register(home, mcp, callLimitMs) {
    const file = join(home, userConfig);
    const own: unknown = JSON.parse(await readFile(file, 'utf8'));
    const config = Object.assign({}, own, { mcp: { clifford: serverEntry(mcp, callLimitMs) } });
    await writeFile(file, JSON.stringify(config));
  },
  async byHand(prompt, mcp, _place, sessionId) {
    const config = mcp && { mcp: { clifford: serverEntry(mcp, 86_400_000) } };
    const resumed = sessionId === undefined ? [] : ['--session', sessionId];
    return {
      args: ['run', '--format', 'json', '--print-logs', '--log-level', 'WARN', '--auto', ...resumed, prompt],
      env: config ? { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } : {},
    };
  },
  ownPaths: [
    /^\.local\/(share|state)\/opencode\//,
    /^\.cache\//,
    /^\.config\/opencode\/(?!AGENTS\.md$|opencode\.json$)/,
  ],
  sessionFiles: /^\.local\/share\/opencode\/.*\.db(-wal)?$/,
  sessionId: /"sessionID":"(ses_\w+)"/,
};

function serverEntry({ command, args, env }: McpCommand, timeout: number | undefined): object {
  return { type: 'local', command: [command, ...args], environment: env, enabled: true, timeout };
}
