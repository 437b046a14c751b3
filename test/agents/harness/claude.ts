import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settling } from './settling.ts';
import type { AgentCli } from './agent-cli.ts';

/** Claude Code: all by variables; the MCP server in a file of the run. */
export const claude: AgentCli = {
  name: 'claude',
  packageName: '@anthropic-ai/claude-code',
  acpPackage: '@agentclientprotocol/claude-agent-acp',
  settle: settling('claude'),
  async register(home, mcp, timeout) {
    const clifford = { type: 'stdio', ...mcp, timeout };
    await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { clifford } }));
  },
  async byHand(prompt, mcp, { scratch }, sessionId) {
    const file = join(scratch, 'mcp.json');
    const clifford = { type: 'stdio', ...mcp, timeout: 86_400_000 };
    await writeFile(file, JSON.stringify({ mcpServers: { clifford } }));
    const injected = mcp ? ['--mcp-config', file, '--strict-mcp-config'] : [];
    const flags = ['--output-format', 'stream-json', '--verbose', ...injected];
    const allowed = ['--allowedTools', 'mcp__clifford,Write,Bash'];
    const resumed = sessionId === undefined ? [] : ['--resume', sessionId];
    return { args: ['-p', ...flags, ...allowed, ...resumed], env: {}, input: prompt };
  },
  ownPaths: [/^\.claude\/(?!CLAUDE\.md$|settings\.json$)/, /^\.claude\.json/, /^\.cache\//],
  sessionFiles: /^\.claude\/projects\/.*\.jsonl$/,
  sessionId: /"session_id":"([\w-]+)"/,
};
