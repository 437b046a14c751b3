import { clip } from '../../lib/text/clip.ts';
import { withoutSequences } from '../../lib/text/without-sequences.ts';

/** Most that is quoted of what a program said, in UTF-16 units: a line of a log may hold a whole answer. */
const MAX_LENGTH = 500;

/** What a program said, as a part of a reason: on one line, without colours, cut where it is too long. */
export function quotedWords(text: string): string {
  return clip(linesOf(text).join(' | '), MAX_LENGTH);
}

/** The same of its last lines only. Of a program that has crashed they say what went wrong, not where in its code. */
export function lastQuotedWords(text: string, lines: number): string {
  const all = linesOf(text);
  const words = withoutPlaces(all);
  return quotedWords((words.length === 0 ? all : words).slice(-lines).join('\n'));
}

/** Without what Node prints around the message of an error: the line of code that threw it, frames, its own version. */
function withoutPlaces(lines: readonly string[]): string[] {
  const isPointer = (line: string | undefined) => line !== undefined && /^\^+$/.test(line);
  return lines.filter(
    (line, at) =>
      !isPointer(line) &&
      !(isPointer(lines[at + 1]) || (isPointer(lines[at + 2]) && /:\d+$/.test(line))) &&
      !/^at .*(?:\(.*\)|:\d+:\d+|<anonymous>)(?: \{)?$/.test(line) &&
      !/^(?:Node\.js v\d.*|\})$/.test(line),
  );
}

function linesOf(text: string): string[] {
  return withoutSequences(text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
