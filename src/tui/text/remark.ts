import { cellsOf, fitEnd, wrap } from '../../lib/text/cells.ts';

/** A line of ours between the box and the key hints. */
export type Remark = {
  readonly text: string;
  /** Stands behind it, whole; where the rows have no room for that, its end in one row. */
  readonly tail?: string;
  /** Stands behind it where not all that is to be said is in sight: how to see the rest. */
  readonly ifCut?: string;
  readonly color?: string;
};

/** Rows that one remark may take: one that is longer leaves room for the others. */
const MOST_ROWS = 3;

/** Remarks in rows of a screen of this width, broken between words, `most` of them altogether: the first remarks have them first. */
export function remarkRows(
  remarks: readonly Remark[],
  { columns, most }: { readonly columns: number; readonly most: number },
): Remark[] {
  const all = rowsOf(remarks, { columns, most });
  if (!all.isCut || remarks.every(({ ifCut }) => ifCut === undefined)) return all.rows;
  const telling = remarks.map(({ ifCut = '', ...remark }) => ({ ...remark, text: remark.text + ifCut }));
  return rowsOf(telling, { columns, most }).rows;
}

type Rows = { readonly rows: Remark[]; readonly isCut: boolean };

function rowsOf(
  remarks: readonly Remark[],
  { columns, most }: { readonly columns: number; readonly most: number },
): Rows {
  const rows: Remark[] = [];
  let isCut = false;
  for (const remark of remarks) {
    const room = Math.min(MOST_ROWS, most - rows.length);
    // A cell stays free at each side.
    const { tail: _tail, ifCut: _ifCut, ...others } = remark;
    const lines = linesOf(remark, columns - 2, room);
    const shown = lines.slice(0, Math.max(0, room)).map((text) => ({ ...others, text }));
    const last = shown.at(-1);
    isCut ||= lines.length > shown.length;
    if (last && lines.length > shown.length)
      shown.splice(-1, 1, { ...last, text: withEllipsis(last.text, columns - 2) });
    rows.push(...shown);
  }
  return { rows, isCut };
}

function linesOf({ text, tail }: Remark, width: number, rows: number): string[] {
  if (tail === undefined) return hangingLines(text, width);
  const whole = wrap(text + tail, width);
  return whole.length <= rows ? whole : [text + fitEnd(tail, width - cellsOf(text))];
}

/** What stands deeper goes on deeper, too: it belongs to what stands above it. */
function hangingLines(text: string, width: number): string[] {
  const words = text.trimStart();
  const indent = text.length - words.length;
  if (indent === 0) return wrap(text, width);
  const hang = ' '.repeat(indent + 2);
  return wrap(words, width - hang.length).map((line, at) => (at === 0 ? ' '.repeat(indent) : hang) + line);
}

function withEllipsis(text: string, width: number): string {
  return wrap(text, width - 2)[0] + ' …';
}
