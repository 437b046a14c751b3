import { wrap } from '../../lib/text/cells.ts';
import { visible } from '../../lib/text/visible.ts';
import { columnsOf } from './broken-for.ts';
import type { Page } from './paragraph.ts';

/**
 * A text of others for a reader: broken between words on a terminal. Only its first row begins where a line of ours would.
 *
 * @param inset - Cells that will stand in front of each row.
 */
export function foreignText(page: Page, text: string, inset = 4): string[] {
  const width = roomOf(page) - inset;
  const [first = '', ...rest] = visible(text).split('\n');
  const [head = '', ...more] = wrap(first, width);
  // What is broken off the first line is broken anew: there is less room.
  const below = [...(more.length === 0 ? [] : [first.slice(head.length).trimStart()]), ...rest];
  return [head, ...below.flatMap((line) => wrap(line, width - 2)).map((line) => `  ${line}`)];
}

/** How wide a row may be, in cells: as it is in a pipe or a file. */
export function roomOf({ stdout }: Page): number {
  return stdout.isTTY ? columnsOf(stdout) : Infinity;
}
