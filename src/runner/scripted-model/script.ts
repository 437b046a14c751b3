import type { Conversation } from './conversation.ts';

/** A value, or how to make it of the conversation so far. */
export type FromConversation<T> = T | ((conversation: Conversation) => T);

/** Something the model wants done. */
export type Action =
  /** One of Clifford's tools, by its plain name. */
  | { readonly tool: string; readonly args?: FromConversation<Readonly<Record<string, unknown>>> }
  /** A file, written with the agent's own tool. */
  | { readonly write: FromConversation<{ readonly path: string; readonly text: string }> }
  /** A command, run with the agent's own tool. */
  | { readonly shell: FromConversation<string> };

/** What the provider says it has counted, in tokens. */
export type Usage = { readonly input: number; readonly cached: number; readonly output: number };

type Details = {
  /** Said before what is done. */
  readonly say?: string;
  readonly usage?: Partial<Usage>;
  /** The pause before each piece of a streamed reply, in ms. */
  readonly paceMs?: number;
};

/** What a provider answers instead of a reply. */
export type Failure = {
  /** `usage-limit`: the plan or the quota is used up. `rate-limit`: too many requests just now. */
  readonly kind: 'usage-limit' | 'rate-limit' | 'unauthorized' | 'server-error' | 'overloaded';
  /** When the limit ends, in s since 1970. */
  readonly resetsAt?: number;
  readonly retryAfterS?: number;
};

/** One turn of the model, or what happens in its place. */
export type ScriptedTurn =
  | (Action & Details)
  /** Several calls at once. */
  | ({ readonly calls: readonly Action[] } & Details)
  | ({ readonly text: FromConversation<string> } & Details)
  /** Fails this many times (always, if not said), then the next turn has its turn. */
  | { readonly fail: Failure; readonly times?: number }
  /** Answers nothing until the server is told to release what it holds; then comes the next turn. */
  | { readonly stall: true };

/**
 * Turns before and after a session was resumed with a prompt that contains a text. How many turns the history of
 * a session has whose agent was killed is each agent's own affair: the second list begins there.
 */
export type ResumedScript = {
  readonly first: readonly ScriptedTurn[];
  readonly resumedBy: string;
  readonly after: readonly ScriptedTurn[];
};

/** What the model does: turn after turn (then it says it is done), or as a function decides. */
export type Script =
  | readonly ScriptedTurn[]
  | ResumedScript
  | ((conversation: Conversation) => ScriptedTurn | Promise<ScriptedTurn>);

/** A script for each conversation: the first whose key the first prompt contains. */
export type Scripts = Readonly<Record<string, Script>>;
