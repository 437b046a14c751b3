import { clipLine } from '../../../lib/text/clip.ts';
import type { AgentSignal } from './agent-signal.ts';

/** Longest text about what went wrong, in characters. */
const MAX_LENGTH = 200;

/** The end of a tool call that did what it should. */
export function toolDone(id: string): AgentSignal {
  return { is: 'tool-end', id, isError: false };
}

/**
 * The end of a tool call that failed.
 *
 * @param told - What the CLI says of it, the best first, as text or as parts of a message: the first that says
 *   anything counts, on one line.
 */
export function toolFailed(id: string, ...told: readonly unknown[]): AgentSignal {
  const why = told.map((each) => clipLine(textOf(each), MAX_LENGTH)).find((words) => words !== '');
  return { is: 'tool-end', id, isError: true, why };
}

/** The words of an exit code, for {@link toolFailed}: `exit code 3`. */
export function exitCodeText(code: number | null | undefined): string | undefined {
  return code === null || code === undefined || code === 0 ? undefined : `exit code ${code}`;
}

function textOf(told: unknown): string {
  if (typeof told === 'string') return told;
  if (!Array.isArray(told)) return '';
  return told.map((part) => (hasText(part) ? part.text : '')).join(' ');
}

function hasText(part: unknown): part is { readonly text: string } {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}
