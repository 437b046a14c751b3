import { cellsOf } from '../../lib/text/cells.ts';
import type { HelpFocus } from '../keys/help-focus.ts';
import type { HelpSection } from '../keys/help-sections.ts';
import { rowsOf, type Span } from './spans.ts';

/** A column of the help takes so many cells at least. */
const LEAST_COLUMN = 56;
/** The title above them: with what is being looked for among all, or was. */
export function helpTitle({ find: { text, cursor }, isFinding }: HelpFocus<unknown>): string {
  if (isFinding) return `Keys · /${text.slice(0, cursor)}▏${text.slice(cursor)}`;
  return text === '' ? 'Keys that work here · / finds others' : `Keys · /${text}`;
}

/** Cells between two columns. */
const GAP = 3;

type Row = readonly Span[];

/**
 * The keys there are, as rows of this width: in columns, where there is room for several. `page`: so many rows are seen at first; the
 * last of them is no title.
 */
export function helpRows(sections: readonly HelpSection[], width: number, page = Infinity): readonly Row[] {
  if (sections.length === 0) return [[{ text: 'No key does anything with this in its name', style: 'dim' }]];
  const names = sections.flatMap(({ keys }) => keys.map(([name]) => cellsOf(name)));
  const hang = Math.max(0, ...names) + 4;
  const most = Math.max(1, Math.floor((width + GAP) / (LEAST_COLUMN + GAP)));
  const columnWidth = Math.floor((width - GAP * (most - 1)) / most);
  const blocks = sections.map((section) => sectionRows(section, hang, columnWidth));
  return beside(balanced(blocks, most, page), columnWidth);
}

function sectionRows({ title, keys }: HelpSection, hang: number, width: number): readonly Row[] {
  const rows = keys.flatMap(([name, what]) =>
    rowsOf(
      {
        spans: [
          { text: `  ${name}`.padEnd(hang), style: 'name' },
          { text: what, style: 'plain' },
        ],
        breaks: 'words',
        hang,
      },
      width,
    ),
  );
  return [[{ text: title, style: 'bold' }], ...rows];
}

/** The sections in their order, in so many columns that are as short as they can be. No section is divided. */
function balanced(
  blocks: readonly (readonly Row[])[],
  count: number,
  page: number,
): readonly (readonly Row[])[] {
  const sizes = blocks.map((rows) => rows.length + 1);
  const longest = Math.max(0, ...sizes);
  for (let height = longest; ; height += 1) {
    const columns = packed(blocks, height, page);
    if (columns.length <= count) return columns;
  }
}

/** The same in columns of so many rows. */
function packed(
  blocks: readonly (readonly Row[])[],
  height: number,
  page: number,
): readonly (readonly Row[])[] {
  const columns: Row[][] = [[]];
  for (const rows of blocks) {
    const last = columns.at(-1) ?? [];
    const gap: Row[] = last.length + 2 === page ? [[], []] : [[]];
    if (last.length === 0) last.push(...rows);
    else if (last.length + gap.length + rows.length <= height) last.push(...gap, ...rows);
    else columns.push([...rows]);
  }
  return columns;
}

/** Columns side by side, a row of each in each row. */
function beside(columns: readonly (readonly Row[])[], width: number): readonly Row[] {
  const height = Math.max(0, ...columns.map((rows) => rows.length));
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((rows, column): Row => {
      const row = rows[at] ?? [];
      if (column === columns.length - 1) return row;
      const taken = row.reduce((sum, { text }) => sum + cellsOf(text), 0);
      return [...row, { text: ' '.repeat(width + GAP - taken), style: 'plain' }];
    }),
  );
}
