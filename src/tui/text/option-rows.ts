import { visibleLine } from '../../lib/text/visible.ts';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { rowsOf, type Span } from './spans.ts';
import { clamp } from './clamp.ts';

/** What a list of options has to show. */
export type OptionList = {
  readonly options: readonly string[];
  /** What is said of each, behind it. */
  readonly abouts?: readonly string[] | undefined;
  /** The one that is chosen so far. */
  readonly at: number | undefined;
  /** Where what is chosen is marked: those that are. */
  readonly marked?: readonly number[] | undefined;
  /** One of them is, and no more. */
  readonly isOne?: boolean;
  readonly width: number;
};

/** Rows of a list of options; of the one that is chosen `isAt`. One that says how many more there are has no `option`. */
export type OptionRow = {
  readonly spans: readonly Span[];
  readonly isAt: boolean;
  readonly option?: number;
};

/** How many rows options take that are shown whole. */
export function optionRowCount(list: Omit<OptionList, 'at'>): number {
  const { options } = list;
  return options.reduce((rows, _, index) => rows + wholeOption({ ...list, at: undefined }, index).length, 0);
}

/**
 * The options in `height` rows: all of them whole, where there is room. Else each on one row, the chosen one whole, and around it as
 * many as fit; how many more there are is said.
 */
export function optionRows(list: OptionList, height: number): OptionRow[] {
  const { options, at } = list;
  const isWhole = optionRowCount(list) <= height;
  const rows = options.flatMap((_, index) =>
    isWhole || index === at ? wholeOption(list, index) : [cutOption(list, index)],
  );
  if (rows.length <= height) return rows;
  const chosen = rows.findIndex(({ isAt }) => isAt);
  const first = clamp(chosen - Math.floor((height - 1) / 2), 0, rows.length - height);
  const shown = rows.slice(first, first + height);
  const hiddenBelow = rows.length - first - height;
  return shown.map((row, index) => {
    if (row.isAt) return row;
    if (index === 0 && first > 0) return more(`↑ ${first + 1} more`);
    if (index === height - 1 && hiddenBelow > 0) return more(`↓ ${hiddenBelow + 1} more`);
    return row;
  });
}

function more(text: string): OptionRow {
  return { spans: [{ text: `    ${text}`, style: 'dim' }], isAt: false };
}

function wholeOption(list: OptionList, index: number): OptionRow[] {
  const { options, at, width } = list;
  const isAt = index === at;
  const head = headOf(list, index);
  const line = {
    spans: [
      { text: head + visibleLine(options[index] ?? ''), style: styleOf(isAt) },
      ...aboutOf(list, index),
    ],
    hang: cellsOf(head),
    breaks: 'words',
  } as const;
  return rowsOf(line, width).map((spans) => ({ spans, isAt, option: index }));
}

function cutOption(list: OptionList, index: number): OptionRow {
  const text = headOf(list, index) + visibleLine(list.options[index] ?? '');
  const label: Span = { text: fit(text, list.width), style: styleOf(false) };
  const room = list.width - cellsOf(label.text);
  const abouts = aboutOf(list, index).map((about) => ({ ...about, text: fit(about.text, room) }));
  return { spans: room > 3 ? [label, ...abouts] : [label], isAt: false, option: index };
}

function aboutOf({ abouts }: OptionList, index: number): Span[] {
  const about = visibleLine(abouts?.[index] ?? '');
  return about === '' ? [] : [{ text: `  ${about}`, style: 'dim' }];
}

/** `›12  `: the same width for each. */
function headOf({ options, at, marked, isOne }: OptionList, index: number): string {
  const number = String(index + 1).padStart(String(options.length).length);
  const box = marked === undefined ? '' : markOf(marked.includes(index), isOne);
  return `${index === at ? '›' : ' '}${number}  ${box}`;
}

function markOf(isMarked: boolean, isOne = false): string {
  if (isOne) return isMarked ? '(•) ' : '( ) ';
  return `[${isMarked ? 'x' : ' '}] `;
}

function styleOf(isAt: boolean): Span['style'] {
  return isAt ? 'chosen' : 'name';
}
