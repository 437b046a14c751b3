import type { Span, SpanLine, Style } from './spans.ts';

/** How a line is drawn: heavy where something went along it. */
export type Weight = 'light' | 'heavy';

const UP = 1;
const RIGHT = 2;
const DOWN = 4;
const LEFT = 8;

/** By what meets in a cell: up 1, right 2, down 4, left 8. */
const glyphs = {
  light: ' ╵╶╰╷│╭├╴╯─┴╮┤┬┼',
  heavy: ' ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋',
} as const satisfies Record<Weight, string>;

type Cell = { readonly text: string; readonly style: Style };
type Lines = { readonly meets: number; readonly weight: Weight; readonly style: Style };

/** A drawing of lines and texts in cells, as a terminal has them. */
export class LineCanvas {
  readonly #texts = new Map<string, Cell>();
  readonly #lines = new Map<string, Lines>();
  #rows = 0;
  #columns = 0;

  /** Puts a text over whatever is there. Each of its characters takes one cell. */
  put(column: number, row: number, text: string, style: Style): void {
    for (const [at, character] of Array.from(text).entries()) {
      this.#texts.set(this.#reach(column + at, row), { text: character, style });
    }
  }

  /** A line from one cell to another, along a row or a column. Where it meets another, they are joined. */
  line(
    from: readonly [column: number, row: number],
    to: readonly [column: number, row: number],
    weight: Weight,
  ): void {
    const [[x1, y1], [x2, y2]] = [from, to];
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
    const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
    const [ahead, behind] =
      dx === 0 ? (dy > 0 ? [DOWN, UP] : [UP, DOWN]) : dx > 0 ? [RIGHT, LEFT] : [LEFT, RIGHT];
    for (let at = 0; at <= steps; at += 1) {
      const meets = (at < steps ? ahead : 0) | (at > 0 ? behind : 0);
      this.#join(x1 + at * dx, y1 + at * dy, meets, weight);
    }
  }

  /** A frame with its corners in these cells. */
  frame([left, top]: readonly [number, number], [right, bottom]: readonly [number, number]): void {
    this.line([left, top], [right, top], 'light');
    this.line([left, bottom], [right, bottom], 'light');
    this.line([left, top], [left, bottom], 'light');
    this.line([right, top], [right, bottom], 'light');
  }

  /** What was drawn, row by row. */
  toLines(): SpanLine[] {
    return Array.from({ length: this.#rows }, (_, row) => ({ spans: this.#spansOf(row) }));
  }

  #spansOf(row: number): Span[] {
    const spans: Span[] = [];
    for (let column = 0; column < this.#columns; column += 1) {
      const { text, style } = this.#cellAt(`${column} ${row}`);
      const last = spans.at(-1);
      if (last?.style === style) spans.splice(-1, 1, { ...last, text: last.text + text });
      else spans.push({ text, style });
    }
    return spans;
  }

  #cellAt(key: string): Cell {
    const text = this.#texts.get(key);
    if (text) return text;
    const lines = this.#lines.get(key);
    return lines
      ? { text: glyphs[lines.weight][lines.meets] ?? ' ', style: lines.style }
      : { text: ' ', style: 'plain' };
  }

  #join(column: number, row: number, meets: number, weight: Weight): void {
    const key = this.#reach(column, row);
    const before = this.#lines.get(key);
    const isHeavy = weight === 'heavy' || before?.weight === 'heavy';
    this.#lines.set(key, {
      meets: meets | (before?.meets ?? 0),
      weight: isHeavy ? 'heavy' : 'light',
      style: isHeavy ? 'name' : 'dim',
    });
  }

  #reach(column: number, row: number): string {
    this.#rows = Math.max(this.#rows, row + 1);
    this.#columns = Math.max(this.#columns, column + 1);
    return `${column} ${row}`;
  }
}
