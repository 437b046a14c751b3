import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentCli, McpCommand } from './agent-cli.ts';

const userConfig = '.config/opencode/opencode.json';

const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'SHARE'] as const;

/** OpenCode: its provider stands in the user's configuration, the MCP server in the environment of the run. */
export const opencode: AgentCli = {
  name: 'opencode',
  packageName: 'opencode-ai',
  async settle(home, { url }) {
    const file = join(home, userConfig);
    await mkdir(dirname(file), { recursive: true });
    const model = {
      name: 'Scripted',
      tool_call: true,
      limit: { context: 200_000, output: 8_000 },
      cost: { input: 3, output: 15 },
    };
    await writeFile(
      file,
      JSON.stringify({
        // It adds this line to a file that does not have it.
        $schema: 'https://opencode.ai/config.json',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${url}/v1`, apiKey: 'sk-dummy' },
            models: { model },
          },
        },
        model: 'scripted/model',
        small_model: 'scripted/model',
        enabled_providers: ['scripted'],
      }),
    );
    return {
      ...Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])),
      // It installs what plugins need, whether there are any or not: from where nobody listens.
      npm_config_registry: 'http://127.0.0.1:9/',
    };
  },
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
