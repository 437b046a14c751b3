import type { AdapterName } from '../../workflow/config/adapter-names.ts';
import { CALL_LIMIT_MS, WAIT_LIMIT_MS } from '../../runner/agents/raised-limits.ts';
import type { Install } from '../project/install.ts';
import type { Json } from './json-text.ts';
import type { Entry } from './merge.ts';

/** Programs that start Clifford's MCP server by themselves, as a file of the project says. */
export const mcpClients = [
  'opencode',
  'claude',
  'codex',
  'gemini',
  'copilot',
  'cursor',
  'vscode',
] as const satisfies readonly (AdapterName | 'vscode')[];

/** One of {@link mcpClients}. */
export type McpClient = (typeof mcpClients)[number];

/** Where and how a program is told of the server. */
export type McpPlace = {
  /** For people: `Claude Code`. */
  readonly title: string;
  /** From the project's root; the first that exists counts, else the first. */
  readonly files: readonly [string, ...string[]];
  readonly format: 'json' | 'toml';
  readonly entry: (serve: Install['serve']) => Entry;
  /** What else a new file has. */
  readonly head?: { readonly [key: string]: Json };
};

/** What the server is told of a limit that progress does not move: to answer in time. */
const belowLimit = { CLIFFORD_WAIT_LIMIT_MS: String(WAIT_LIMIT_MS) };

/** The form that most read: `{ "mcpServers": { "clifford": { "command": …, "args": … } } }`. */
const common =
  (more: { readonly [key: string]: Json }, key = 'mcpServers') =>
  ([command, ...args]: Install['serve']): Entry => ({
    path: [key, 'clifford'],
    value: { ...('type' in more ? { type: more['type'] ?? '' } : {}), command, args, ...more },
  });

/** Claude Code and Copilot read the same file. */
const mcpJson: Omit<McpPlace, 'title'> = {
  files: ['.mcp.json'],
  format: 'json',
  entry: common({ type: 'stdio', timeout: CALL_LIMIT_MS }),
};

/** By client. */
export const mcpPlaces: Readonly<Record<McpClient, McpPlace>> = {
  opencode: {
    title: 'OpenCode',
    files: ['opencode.json', 'opencode.jsonc'],
    format: 'json',
    head: { $schema: 'https://opencode.ai/config.json' },
    entry: (serve) => ({
      path: ['mcp', 'clifford'],
      value: { type: 'local', command: serve, enabled: true, timeout: CALL_LIMIT_MS },
    }),
  },
  claude: { title: 'Claude Code', ...mcpJson },
  codex: {
    title: 'Codex',
    files: ['.codex/config.toml'],
    format: 'toml',
    entry: ([command, ...args]) => ({
      path: ['mcp_servers', 'clifford'],
      value: { command, args, tool_timeout_sec: CALL_LIMIT_MS / 1_000, required: true, env: belowLimit },
    }),
  },
  gemini: {
    title: 'Gemini CLI',
    files: ['.gemini/settings.json'],
    format: 'json',
    entry: common({ timeout: CALL_LIMIT_MS, trust: true, env: belowLimit }),
  },
  copilot: { title: 'Copilot CLI', ...mcpJson },
  cursor: { title: 'Cursor', files: ['.cursor/mcp.json'], format: 'json', entry: common({}) },
  vscode: {
    title: 'VS Code',
    files: ['.vscode/mcp.json'],
    format: 'json',
    entry: common({ type: 'stdio' }, 'servers'),
  },
};
