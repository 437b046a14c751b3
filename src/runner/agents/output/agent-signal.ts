import type { AgentCall } from '../../../gateway/permission/agent-call.ts';

/** What kind of error an agent CLI reports: what can be done about it depends on it. */
export type AgentErrorClass = 'auth' | 'network' | 'model' | 'session' | 'config' | 'other';

/**
 * What was used since the last such signal. `isSessionTotal`: since the session began, by earlier runs, too.
 * `cached` is not part of `input`.
 */
export type UsageSignal = {
  readonly is: 'usage';
  readonly tokens: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly costUsd?: number;
  readonly isSessionTotal?: boolean;
};

/** A call of a tool of the agent's own, that no server sees. */
export type OwnCall = {
  readonly kind: AgentCall['kind'];
  /** In the agent's, or its model's, words. */
  readonly title: string;
  /** JSON. */
  readonly args: unknown;
  /** Files that it is about, as the agent names them. */
  readonly paths: readonly string[];
};

/** Lines that a call adds to files, and takes out of them. */
export type LinesChanged = { readonly added: number; readonly removed: number };

/** What the structured output of an agent CLI says, in words that all of them share. */
export type AgentSignal =
  /** It works in this session, which can be gone on with. */
  | { readonly is: 'session'; readonly sessionId: string }
  /** What it says to the reader. `isPart`: goes on where the last part ended, or begins a line that parts go on with. */
  | { readonly is: 'text'; readonly text: string; readonly isPart?: boolean; readonly isNewLine?: boolean }
  /** A tool call begins; `about` is a few words on its arguments. With `own` it is for the log. */
  | {
      readonly is: 'tool-start';
      readonly id: string;
      readonly tool: string;
      readonly about: string;
      readonly own?: OwnCall;
    }
  /** A tool call is over; `why` is a few words on what went wrong, where the CLI says it. With `own` it is for the log. */
  | {
      readonly is: 'tool-end';
      readonly id: string;
      readonly isError: boolean;
      readonly why?: string | undefined;
      /** What was decided about it, to be read after `it`, where it was not simply done: `was denied by ann`. */
      readonly fate?: string;
      /** What it has changed in files, in lines, where the agent shows it. */
      readonly diff?: readonly string[];
      readonly own?: { readonly bytes: number; readonly durationMs: number; readonly lines?: LinesChanged };
    }
  | UsageSignal
  /** The provider gives no more for now; `resetsAt`: ms since the epoch, where it says so. */
  | { readonly is: 'limit'; readonly message: string; readonly resetsAt?: number | undefined }
  | { readonly is: 'error'; readonly class: AgentErrorClass; readonly message: string }
  /** How the CLI's connection to Clifford's MCP server stands. */
  | { readonly is: 'mcp'; readonly status: 'connected' | 'pending' | 'failed'; readonly detail?: string }
  /** Its turn is over: the process should exit soon. */
  | { readonly is: 'turn-over' };
