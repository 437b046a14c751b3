import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settling } from './settling.ts';
import type { AgentCli } from './agent-cli.ts';

/** Copilot: all by variables; the MCP server in a file of the run. */
export const copilot: AgentCli = {
  name: 'copilot',
  packageName: '@github/copilot',
  settle: settling('copilot'),
  async register(home, mcp, timeout) {
    const clifford = { type: 'local', ...mcp, tools: ['*'], timeout };
    await mkdir(join(home, '.copilot'), { recursive: true });
    await writeFile(join(home, '.copilot/mcp-config.json'), JSON.stringify({ mcpServers: { clifford } }));
  },
  async byHand(prompt, mcp, { scratch }, sessionId) {
    const file = join(scratch, 'mcp.json');
    const clifford = { type: 'local', ...mcp, tools: ['*'], timeout: 86_400_000 };
    await writeFile(file, JSON.stringify({ mcpServers: { clifford } }));
    const resumed = sessionId === undefined ? [] : [`--resume=${sessionId}`];
    const injected = mcp ? ['--additional-mcp-config', `@${file}`] : [];
    const flags = ['--output-format', 'json', '--no-ask-user', '--allow-all', ...injected];
    return { args: ['-p', prompt, ...flags, ...resumed], env: {} };
  },
  ownPaths: [/^\.copilot\/(?!mcp-config\.json$)/, /^\.cache\//],
  sessionFiles: /^\.copilot\/session-state\/.*\/events\.jsonl$/,
  sessionId: /"sessionId":"([\w-]+)"/,
};
