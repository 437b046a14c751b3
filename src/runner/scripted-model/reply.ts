import { callFor, told, type Call } from './call-for.ts';
import { TOOL_SEARCH, type Conversation } from './conversation.ts';
import type { Failure, ScriptedTurn, Usage } from './script.ts';

/** What the model answers, before a protocol writes it down. */
export type Reply = {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  readonly paceMs: number;
};

/** Turns that are answered with a reply. */
export type ReplyTurn = Exclude<ScriptedTurn, { readonly fail: Failure } | { readonly stall: true }>;

const ordinaryUsage: Usage = { input: 1_000, cached: 0, output: 50 };

/**
 * Makes the reply a turn asks for.
 *
 * @throws {Error} when it wants a tool that is not offered.
 */
export function replyTo(turn: ReplyTurn, conversation: Conversation): Reply {
  const usage = { ...ordinaryUsage, ...turn.usage };
  const paceMs = turn.paceMs ?? 0;
  if ('text' in turn) return { text: told(turn.text, conversation), calls: [], usage, paceMs };
  const actions = 'calls' in turn ? turn.calls : [turn];
  const calls = actions.map((action) => callFor(action, conversation));
  const searches = calls.filter(({ tool }) => tool.name === TOOL_SEARCH);
  // The turn comes again when its tools have been looked up.
  if (searches.length > 0) return { text: '', calls: searches, usage, paceMs };
  return { text: turn.say ?? '', calls, usage, paceMs };
}

/** A reply that only says something, for requests that are no turn of a script. */
export function sideReply(text: string): Reply {
  return { text, calls: [], usage: { input: 10, cached: 0, output: 5 }, paceMs: 0 };
}

/** The text in the pieces it is streamed in. */
export function pieces(text: string): string[] {
  return text.match(/[^]{1,24}/g) ?? [];
}
