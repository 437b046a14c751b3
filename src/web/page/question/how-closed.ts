import { answererText, viaText } from '../../../events/answerer.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import type { Closing } from '../../api/question.ts';
import type { Reader } from '../../api/state.ts';

/** `answered in the shell, 12:03`; `allowed it in the shell, 12:03`. */
export function howClosed({ did, via, at }: Closing): string {
  const what = did.replace(/^(?:allowed|denied|rejected|dismissed)/, '$& it');
  return `${what} ${viaText(via)}${at === undefined ? '' : `, ${clockTime(at)}`}`;
}

/** So much of what was said stands in a line, in UTF-16 units. */
const SAID_LENGTH = 120;

/** `ben answered in the shell, 12:03: A table`: on one line, safe to show. */
export function closedLine(closing: Closing): string {
  return visibleLine(`${answererText(closing.by)} ${howClosed(closing)}${lineOf(closing)}`);
}

/** The same of what was sent from here, while its reply was lost: `Recorded: you answered in the browser, 12:03: A table`. */
export function ownLine(closing: Closing): string {
  return visibleLine(`Recorded: you ${howClosed(closing)}${lineOf(closing)}`);
}

/** Whether it was closed on a page, by this reader's name. */
export function isReaders({ via, by }: Closing, reader: Pick<Reader, 'name'> | undefined): boolean {
  return via === 'web' && by === reader?.name;
}

/** What was said, but the bare yes or no to a call: what was done says that. */
export function saidOf({ verdict, response = '', line = response }: Closing): string {
  return verdict && /^(?:yes|no)$/i.test(response.trim()) ? '' : line;
}

function lineOf(closing: Closing): string {
  const said = saidOf(closing);
  return said === '' ? '' : `: ${clip(said.trim().replaceAll(/(?<!\s)\s*\n\s*/g, ' · '), SAID_LENGTH)}`;
}
