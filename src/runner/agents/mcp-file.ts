import type { Json } from '../../lib/json/json-edits.ts';

/** The command line that starts Clifford's MCP server. */
type ServeCommand = readonly [command: string, ...args: string[]];

/** Where and how a program that is started by hand is told of Clifford's MCP server: in a file of the project. */
export type McpFile = {
  /** From the project's root; the first that exists counts, else the first. */
  readonly files: readonly [string, ...string[]];
  readonly format: 'json' | 'toml';
  readonly entry: (serve: ServeCommand) => { readonly path: readonly string[]; readonly value: Json };
  /** What else a new file has. */
  readonly head?: { readonly [key: string]: Json };
  /** A folder of the project that says that somebody uses the program here. */
  readonly folder?: string;
};

/** The form that most read: `{ "mcpServers": { "clifford": { "command": …, "args": … } } }`. */
export function commonEntry(more: { readonly [key: string]: Json }, key = 'mcpServers'): McpFile['entry'] {
  return ([command, ...args]) => ({
    path: [key, 'clifford'],
    value: { ...('type' in more ? { type: more['type'] ?? '' } : {}), command, args, ...more },
  });
}

/** The file that several programs read. */
export function sharedMcpFile(timeoutMs: number): McpFile {
  return { files: ['.mcp.json'], format: 'json', entry: commonEntry({ type: 'stdio', timeout: timeoutMs }) };
}
