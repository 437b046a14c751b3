import { cellsOf } from '../../lib/text/cells.ts';
import type { TaskFact } from '../../views/sprints/task-facts.ts';
import { rowsOf, type Span } from './spans.ts';

/** Cells of the longest label, and a blank. */
const LABEL_WIDTH = 10;

/** Cells between two facts of one row. */
const BETWEEN = 3;

/** The rows of facts, one below the other; where they are more than there is room for, short ones share a row. */
export function factRows(facts: readonly TaskFact[], width: number, height: number): Span[][] {
  const rows = facts.flatMap((fact) => rowsOfFact(fact, width));
  return rows.length <= height ? rows : packed(facts, width).flat();
}

/** A text of several parts goes on between them, `,` and the next: no part is broken that a row has room for. */
function rowsOfFact({ label, text: whole, short = whole }: TaskFact, width: number): Span[][] {
  const room = width - LABEL_WIDTH;
  const text = cellsOf(whole) <= room ? whole : short;
  const texts: string[] = [];
  for (const part of text.split(/(?<=,) /)) {
    const last = texts.at(-1);
    const longer = `${last ?? ''} ${part}`;
    // Behind one that is broken anyway there is room.
    if (last !== undefined && (cellsOf(longer) <= room || cellsOf(last) > room)) texts.splice(-1, 1, longer);
    else texts.push(part);
  }
  return texts.flatMap((part, at) =>
    rowsOf(
      {
        spans: [
          { text: (at === 0 ? label : '').padEnd(LABEL_WIDTH), style: 'dim' },
          { text: part, style: 'plain' },
        ],
        breaks: 'words',
        hang: LABEL_WIDTH,
      },
      width,
    ),
  );
}

/** The rows of each fact, or of two that fit into one. */
function packed(facts: readonly TaskFact[], width: number): Span[][][] {
  const all: Span[][][] = [];
  let at = 0;
  while (at < facts.length) {
    const [one, other] = facts.slice(at, at + 2);
    const both = one && other ? inOneRow(one, other, width) : undefined;
    if (both) all.push([both]);
    else if (one) all.push(rowsOfFact(one, width));
    at += both ? 2 : 1;
  }
  return all;
}

/** Two facts side by side. One without a label goes on with the fact before it, and stays below that. */
function inOneRow(one: TaskFact, other: TaskFact, width: number): Span[] | undefined {
  if (one.label === '' || other.label === '') return undefined;
  const first = cellsOf(one.text);
  const cells = LABEL_WIDTH + first + BETWEEN + cellsOf(other.label) + 1 + cellsOf(other.text);
  if (cells > width) return undefined;
  return [
    { text: one.label.padEnd(LABEL_WIDTH), style: 'dim' },
    { text: one.text + ' '.repeat(BETWEEN), style: 'plain' },
    { text: `${other.label} `, style: 'dim' },
    { text: other.text, style: 'plain' },
  ];
}
