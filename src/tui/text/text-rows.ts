import { cellsOf, graphemesOf } from '../../lib/text/cells.ts';
import { shownFold } from './folded-paste.ts';
import type { TextBuffer } from './text-buffer.ts';
import { clamp } from './clamp.ts';

/** A row of an input box; `cursor` is set in the one that has it. */
export type TextRow = {
  readonly text: string;
  readonly cursor?: { readonly before: string; readonly at: string; readonly after: string };
};

type Row = { graphemes: string[]; cells: number; cursor?: number };

/** The rows of a text as an input box of `width` cells shows them. The cursor always has a cell. */
export function textRows({ text, cursor, pastes }: TextBuffer, width: number): TextRow[] {
  const rows: Row[] = [{ graphemes: [], cells: 0 }];
  let row = rows[0] ?? { graphemes: [], cells: 0 };
  const open = () => rows.push((row = { graphemes: [], cells: 0 }));
  let offset = 0;
  for (const grapheme of graphemesOf(text)) {
    const shown = grapheme === '\t' ? '  ' : shownFold(grapheme, pastes);
    const cells = grapheme === '\n' ? 0 : cellsOf(shown);
    if (row.cells + cells > width && row.cells > 0) open();
    if (offset === cursor) row.cursor = row.graphemes.length;
    if (grapheme === '\n') open();
    else {
      row.graphemes.push(shown);
      row.cells += cells;
    }
    offset += grapheme.length;
  }
  if (offset === cursor) {
    if (row.cells >= width) open();
    row.cursor = row.graphemes.length;
  }
  return rows.map(asTextRow);
}

/** The rows that fit into `height` and hold the cursor. */
export function rowsAround(rows: readonly TextRow[], height: number): readonly TextRow[] {
  const at = rows.findIndex(({ cursor }) => cursor !== undefined);
  const first = clamp(at - height + 1, 0, rows.length - height);
  return rows.slice(first, first + height);
}

function asTextRow({ graphemes, cursor }: Row): TextRow {
  const text = graphemes.join('');
  if (cursor === undefined) return { text };
  const before = graphemes.slice(0, cursor).join('');
  return {
    text,
    cursor: { before, at: graphemes[cursor] ?? ' ', after: graphemes.slice(cursor + 1).join('') },
  };
}
