import { lastOverwrite } from '../../lib/text/sanitise.ts';
import { withoutSequences } from '../../lib/text/without-sequences.ts';
import { choicesOf, linePrompt } from './line-prompts.ts';
import type { Prompt } from './prompt.ts';

/** How long an output has to be quiet before its end is taken for a prompt, in ms. */
export const PROMPT_QUIET_MS = 1_500;

/** The same before any short line that asks something is, in ms. */
export const ANY_PROMPT_QUIET_MS = 10_000;

/** The end of an output. */
export type OutputEnd = {
  /** What came since the last prompt. */
  readonly text: string;
  /** What came before. */
  readonly before?: string;
  /** How long nothing has come. */
  readonly quietMs: number;
};

/**
 * The question that an output ends with, if the program that wrote it seems to wait for an answer: its last
 * line is like those that programs ask with, has no end but for the few that have one, and nothing comes.
 */
export function detectPrompt({ text, before = '', quietMs }: OutputEnd): Prompt | undefined {
  if (quietMs < PROMPT_QUIET_MS) return undefined;
  const lines = plainLines(text);
  const drawn = drawnPrompt(lines);
  if (drawn) return drawn;
  const isFinished = lines.at(-1)?.trim() === '';
  const line = isFinished ? lines.findLast((each) => each.trim() !== '') : lines.at(-1);
  // An empty line behind it: the program went on.
  if (line === undefined || (isFinished && lines.at(-2) !== line)) return undefined;
  const how = { isFinished, before: `${before}\n${lines.slice(0, -1).join('\n')}` };
  const known = linePrompt(line, how);
  const kind =
    known ?? (quietMs >= ANY_PROMPT_QUIET_MS ? linePrompt(line, { ...how, isLong: true }) : undefined);
  if (kind === undefined) return undefined;
  const options = kind === 'choice' ? choicesOf(line) : [];
  return { kind, question: line.trim(), options, ...(known === undefined && { isGuess: true }) };
}

/** The lines of an output as a terminal shows them, the unfinished one last. */
export function plainLines(text: string): string[] {
  return withoutSequences(text).split(/\r?\n/).map(lastOverwrite);
}

/** The entry the arrow keys are at, and those they are not at; without blanks at its end. */
const entry = /^(?:│\s+)?(?:(?<here>[❯›>▸➤●◉])|[○◯])?\s+(?<name>\S.*)$/s;
/** What a list may have besides entries: an end, a frame, a hint. */
const decoration = /^(?:[│└\s]*|\s*(?:\(.*\)|\[.*\]|Use arrow keys.*|↑.*|─+)|│\s+↑.*)$/;
const MAX_LINES = 40;

/**
 * A question drawn over several lines at the end of an output: a line that begins with `?` or `◆`, then a list
 * to choose from with the arrow keys, one of whose entries is marked, or a field in a frame.
 */
function drawnPrompt(lines: readonly string[]): Prompt | undefined {
  const last = lines.slice(-MAX_LINES);
  const at = last.findLastIndex((line) => /^[?◆] +\S/.test(line));
  const question = last[at]?.replace(/^◆ +/, '').trim();
  if (question === undefined) return undefined;
  const rest = last.slice(at + 1).filter((line) => !decoration.test(line));
  const entries = rest.map((line) => entry.exec(line.trimEnd())?.groups);
  const options = entries.flatMap((groups) => groups?.['name'] ?? []);
  const chosen = entries.findIndex((groups) => groups?.['here'] !== undefined);
  const isList = chosen !== -1 && entries.length > 1 && options.length === entries.length;
  if (isList && new Set(options).size === options.length) return { kind: 'list', question, options, chosen };
  return isFramed(last.slice(at + 1)) ? { kind: 'text', question, options: [] } : undefined;
}

/** What a field is filled with, and the end of its frame. */
function isFramed(lines: readonly string[]): boolean {
  const frame = lines.filter((line) => line !== '');
  const end = frame.pop();
  return end !== undefined && /^└\s*$/.test(end) && frame.every((line) => line.startsWith('│'));
}
