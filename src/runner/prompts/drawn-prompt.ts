import type { Prompt } from './prompt.ts';

/** The entry the arrow keys are at, and those they are not at. */
const entry = /^(?:│\s+)?(?:(?<here>[❯›>▸➤●◉])|[○◯])?\s+(?<name>\S.*?)\s*$/;
/** What a list may have besides entries: an end, a frame, a hint. */
const decoration = /^(?:[│└\s]*|\s*(?:\(.*\)|\[.*\]|Use arrow keys.*|↑.*|─+)|│\s+↑.*)$/;
const MAX_LINES = 40;

/**
 * A question drawn over several lines at the end of an output: a line that begins with `?` or `◆`, then a list
 * to choose from with the arrow keys, one of whose entries is marked, or a field in a frame.
 */
export function drawnPrompt(lines: readonly string[]): Prompt | undefined {
  const last = lines.slice(-MAX_LINES);
  const at = last.findLastIndex((line) => /^[?◆] +\S/.test(line));
  const question = last[at]?.replace(/^◆ +/, '').trim();
  if (question === undefined) return undefined;
  const rest = last.slice(at + 1).filter((line) => !decoration.test(line));
  const entries = rest.map((line) => entry.exec(line)?.groups);
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
