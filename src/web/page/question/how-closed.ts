import { answererText, viaText } from '../../../events/answerer.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import type { Closing } from '../../api/question.ts';

/** `answered in the shell, 12:03`. */
export function howClosed({ did, via, at }: Closing): string {
  return `${did} ${viaText(via)}${at === undefined ? '' : `, ${clockTime(at)}`}`;
}

/** So much of what was said stands in a line, in UTF-16 units. */
const SAID_LENGTH = 120;

/** `ben answered in the shell, 12:03: A table`: on one line, safe to show. */
export function closedLine(closing: Closing): string {
  return visibleLine(`${answererText(closing.by)} ${howClosed(closing)}${saidOf(closing)}`);
}

/** The same of what was sent from here, while its reply was lost: `Recorded: you answered in the browser, 12:03: A table`. */
export function ownLine(closing: Closing): string {
  return visibleLine(`Recorded: you ${howClosed(closing)}${saidOf(closing)}`);
}

function saidOf({ response = '' }: Closing): string {
  // A form has a line for each of its questions.
  return response === '' ? '' : `: ${clip(response.trim().replaceAll(/\s*\n\s*/g, ' · '), SAID_LENGTH)}`;
}
