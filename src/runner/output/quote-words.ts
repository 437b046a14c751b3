import { clip } from '../../lib/text/clip.ts';
import { stripVTControlCharacters } from 'node:util';

/** Most that is quoted of what a program said, in UTF-16 units: a line of a log may hold a whole answer. */
const MAX_LENGTH = 500;

/** What a program said, as a part of a reason: on one line, without colours, cut where it is too long. */
export function quotedWords(text: string): string {
  return clip(linesOf(text).join(' | '), MAX_LENGTH);
}

/** The same of its last lines only. */
export function lastQuotedWords(text: string, lines: number): string {
  return quotedWords(linesOf(text).slice(-lines).join('\n'));
}

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
