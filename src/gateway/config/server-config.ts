/** How far a server is believed: `untrusted` has what it says of its own tools stripped or taken at its worst. */
export type ServerTrust = 'full' | 'untrusted';

/** What is told about every server of `mcp.json`, whatever it is reached by. Variables are replaced. */
type Common = {
  /** 1 to 24 of `A-Z a-z 0-9 _ -`, no `__`, not `clifford`: see {@link serverIdProblem}. */
  readonly id: string;
  /** Kept in the file, never started. */
  readonly disabled: boolean;
  /** Started with the gateway; one that is not starts with the first call. */
  readonly autoStart: boolean;
  /** How long one call may take, in ms, at most what a timer can wait for. */
  readonly timeoutMs: number;
  /** How long it may take until it is initialised and has listed its tools, in ms. */
  readonly startTimeoutMs: number;
  readonly trust: ServerTrust;
};

/** A program that speaks MCP on its stdin and stdout. */
export type StdioServerConfig = Common & {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All that reaches the program beside the few harmless variables that every child gets. */
  readonly env: Readonly<Record<string, string>>;
};

/** A server behind a URL: `http` is streamable HTTP, `sse` its predecessor. */
export type HttpServerConfig = Common & {
  readonly transport: 'http' | 'sse';
  /** `http:` or `https:`, without name and password in it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True when plain `http:` to another machine was asked for. */
  readonly allowInsecure: boolean;
};

/** One server of `mcp.json`, ready to be connected. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** How long one call may take unless `timeout` says otherwise, in ms. */
export const DEFAULT_TIMEOUT_MS = 600_000;

/** How long a server may take to start unless `startTimeout` says otherwise, in ms. */
export const DEFAULT_START_TIMEOUT_MS = 30_000;

/** What is wrong with the id of a server, as the end of a sentence that names it. */
export function serverIdProblem(id: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,24}$/.test(id)) return 'must be 1 to 24 letters, digits, - or _';
  // The names of tools are mcp__<server>__<tool>: a second reading of one would let a rule match two tools.
  if (id.includes('__')) return 'must not have __, which ends the server in the name of a tool';
  if (id.toLowerCase() === 'clifford') return 'is the name of Clifford itself';
  return undefined;
}
