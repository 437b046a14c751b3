import { cellsOf, fitEnd, wrap } from '../../lib/text/cells.ts';

/** A line of ours between the box and the key hints. */
export type Remark = {
  readonly text: string;
  /** Stands behind it, whole; where the rows have no room for that, its end in one row. */
  readonly tail?: string;
  readonly color?: string;
};

/** Rows that one remark may take: one that is longer leaves room for the others. */
const MOST_ROWS = 3;

/** Remarks in rows of a screen of this width, broken between words, `most` of them altogether: the first remarks have them first. */
export function remarkRows(
  remarks: readonly Remark[],
  { columns, most }: { readonly columns: number; readonly most: number },
): Remark[] {
  const rows: Remark[] = [];
  for (const remark of remarks) {
    const room = Math.min(MOST_ROWS, most - rows.length);
    // A cell stays free at each side.
    const { tail: _tail, ...others } = remark;
    const lines = linesOf(remark, columns - 2, room);
    const shown = lines.slice(0, Math.max(0, room)).map((text) => ({ ...others, text }));
    const last = shown.at(-1);
    if (last && lines.length > shown.length)
      shown.splice(-1, 1, { ...last, text: withEllipsis(last.text, columns - 2) });
    rows.push(...shown);
  }
  return rows;
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
