import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';

/**
 * A text of the command line. `-` stands for stdin, read to its end and without its last newline.
 *
 * @throws {CliffordError} `TEXT_TOO_LONG`.
 */
export async function readText({ stdin }: Pick<Cli, 'stdin'>, text: string): Promise<string> {
  if (text !== '-') return checkText(text);
  let read = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    read += String(chunk);
    // What is far too long is not read to its end.
    if (read.length > MAX_TEXT_LENGTH + 2) break;
  }
  return shortEnough(read.replace(/\r?\n$/, ''));
}

/** The text, unless it is too long for the log, or only stands for one. @throws {CliffordError} `TEXT_TOO_LONG`, `TEXT_MISSING` */
export function checkText(text: string): string {
  if (isPlaceholder(text))
    throw new CliffordError(`Cannot take ${JSON.stringify(text)}: it stands for what you want to say`, {
      code: 'TEXT_MISSING',
      fix: 'Type the same again, with your words in its place; or hand them over on stdin, as -',
    });
  return shortEnough(text);
}

/** What commands are printed with in place of a text, perhaps with its quotes. */
function isPlaceholder(text: string): boolean {
  return /^\s*"?(?:…|\.\.\.)"?\s*$/.test(text);
}

function shortEnough(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw new CliffordError(
    `Cannot accept a text of more than ${MAX_TEXT_LENGTH} characters: it starts with ${text.slice(0, 40)}`,
    { code: 'TEXT_TOO_LONG', fix: 'Shorten it, or put it into a file and name that' },
  );
}
