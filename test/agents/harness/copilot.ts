import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentCli } from './agent-cli.ts';

/** Copilot: all by variables; the MCP server in a file of the run. */
export const copilot: AgentCli = {
  name: 'copilot',
  packageName: '@github/copilot',
  async settle(_home, { url }) {
    return {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'sk-dummy',
      COPILOT_MODEL: 'gpt-5',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    };
  },
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
