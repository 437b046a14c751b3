import type { ModelServer } from '../../../src/runner/scripted-model/model-server.ts';
import type { AgentPlace } from './agent-place.ts';

/** How Clifford's MCP server is started. */
export type McpCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** A run by hand, without Clifford's runner. */
export type HandRun = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from stdin; without it, stdin is empty. */
  readonly input?: string;
};

/** What the tests have to know about one agent's command line. */
export type AgentCli = {
  /** The program in `node_modules/.bin`. */
  readonly name: 'opencode' | 'claude' | 'codex' | 'gemini' | 'copilot';
  readonly packageName: string;
  /** The package of the program that speaks the Agent Client Protocol for it. `undefined`: it does so itself. */
  readonly acpPackage?: string;
  /**
   * Makes it use the scripted model and keep off the network: writes configuration into the home, as its
   * user would, and returns the variables to start it with.
   */
  readonly settle: (home: string, model: Pick<ModelServer, 'url'>) => Promise<Record<string, string>>;
  /**
   * Registers Clifford's MCP server for good, in the configuration of its user. Call it after `settle`.
   *
   * @param callLimitMs - How long a call may last, in ms, whole seconds; `undefined`: as the agent has it by itself.
   */
  readonly register: (home: string, mcp: McpCommand, callLimitMs: number | undefined) => Promise<void>;
  /** How it is run by hand with an MCP server for this run only; `undefined`: with what is registered. */
  readonly byHand: (
    prompt: string,
    mcp: McpCommand | undefined,
    place: AgentPlace,
    sessionId?: string,
  ) => Promise<HandRun>;
  /** The paths below the home it writes for itself: sessions, logs, caches. */
  readonly ownPaths: readonly RegExp[];
  /** The files among them that hold what was said in a session. Some are written a moment after it was said. */
  readonly sessionFiles: RegExp;
  /** The session id in its output. */
  readonly sessionId: RegExp;
};
