import { describe, expect, it } from 'vitest';
import type { PaneKind, PaneLine } from '../../../src/tui/panes/pane.ts';
import { indexAt, paneWindow } from '../../../src/tui/text/pane-window.ts';

/** Lines of these texts, numbered by tens. */
const lines = (...texts: string[]): PaneLine[] =>
  texts.map((text, at) => ({ at: 10 * at, line: { spans: [{ text, style: 'plain' }], breaks: 'words' } }));
const numbered = (count: number) => lines(...Array.from({ length: count }, (_, at) => `line ${at}`));

/** Its rows; the one at the cursor has a sign. */
function shown(all: readonly PaneLine[], kind: PaneKind, place?: number, { width = 20, height = 3 } = {}) {
  const { rows, newer, lastTop } = paneWindow(all, { kind, place, width, height });
  const texts = rows.map(
    ({ spans, isPicked }) => `${isPicked ? '›' : ''}${spans.map(({ text }) => text).join('')}`,
  );
  return { rows: texts.map((text) => text.trimEnd()), newer, lastTop };
}

describe('a log', () => {
  it('shows its end, or the rows above a line', () => {
    expect(shown(numbered(6), 'log')).toEqual({ rows: ['line 3', 'line 4', 'line 5'], newer: 0, lastTop: 3 });
    expect(shown(numbered(6), 'log', 40)).toMatchObject({ rows: ['line 1', 'line 2', 'line 3'], newer: 2 });
    expect(shown(numbered(2), 'log').rows).toEqual(['line 0', 'line 1']);
  });

  it('shows the last rows of a line that is broken, in any width', () => {
    const all = lines('before', 'one two three four five');
    expect(shown(all, 'log', undefined, { width: 5, height: 3 }).rows).toEqual(['three', 'four', 'five']);
    expect(shown(all, 'log', undefined, { width: 30, height: 3 }).rows).toEqual([
      'before',
      'one two three four five',
    ]);
  });
});

describe('a text', () => {
  it('is shown from a line on, and no further than to its end', () => {
    expect(shown(numbered(5), 'text')).toEqual({
      rows: ['line 0', 'line 1', 'line 2'],
      newer: 2,
      lastTop: 2,
    });
    expect(shown(numbered(5), 'text', 10).rows[0]).toBe('line 1');
    expect(shown(numbered(5), 'text', 15).rows[0]).toBe('line 2');
    expect(shown(numbered(5), 'text', 999).rows).toEqual(['line 2', 'line 3', 'line 4']);
  });

  it('ends with its last line as a whole, where that is broken', () => {
    const all = lines('a', 'b', 'one two three');
    expect(shown(all, 'text', 999, { width: 5, height: 4 })).toMatchObject({
      rows: ['b', 'one', 'two', 'three'],
      lastTop: 1,
    });
    const next = lines('one two', 'three four five');
    expect(shown(next, 'text', 999, { width: 5, height: 4 }).rows).toEqual(['three', 'four', 'five']);
    expect(shown(all, 'text', 999, { width: 5, height: 2 }).rows).toEqual(['one', 'two']);
  });
});

describe('a list', () => {
  it('keeps the cursor in the middle where it can', () => {
    expect(shown(numbered(9), 'list').rows).toEqual(['›line 0', 'line 1', 'line 2']);
    expect(shown(numbered(9), 'list', 40)).toMatchObject({ rows: ['line 3', '›line 4', 'line 5'], newer: 3 });
    expect(shown(numbered(9), 'list', 80).rows).toEqual(['line 6', 'line 7', '›line 8']);
    expect(shown(numbered(9), 'list', 35).rows[1]).toBe('›line 4');
    expect(shown(numbered(9), 'list', 999).rows[2]).toBe('›line 8');
  });

  it('has no cursor on the heading above it', () => {
    const [first, ...below] = numbered(4);
    const heading = { at: 0, line: { spans: [] }, ...first, isHeading: true };
    expect(shown([heading, ...below], 'list').rows).toEqual(['line 0', '›line 1', 'line 2']);
    expect(shown([heading, ...below], 'list', 0).rows[1]).toBe('›line 1');
    expect(shown([heading], 'list', 0).rows).toEqual(['line 0']);
  });

  it('gives each line one row, however long it is', () => {
    expect(shown(lines('one two three', 'b'), 'list', 0, { width: 5, height: 3 }).rows).toEqual([
      '›one …',
      'b',
    ]);
  });
});

describe('a history', () => {
  it('is a list that begins at its end, and stays at a line that is left', () => {
    expect(shown(numbered(5), 'history').rows).toEqual(['line 2', 'line 3', '›line 4']);
    expect(shown(numbered(6), 'history').rows).toEqual(['line 3', 'line 4', '›line 5']);
    expect(shown(numbered(6), 'history', 10).rows).toEqual(['line 0', '›line 1', 'line 2']);
  });
});

it('a line is found by its number, or by the next that is there', () => {
  expect([0, 5, 10, 20, 21].map((place) => indexAt(numbered(3), place))).toEqual([0, 1, 1, 2, 3]);
});

it('no more lines are broken into rows than are seen', () => {
  let broken = 0;
  const all = Array.from({ length: 100_000 }, (_, at): PaneLine => ({
    at,
    get line() {
      broken += 1;
      return { spans: [{ text: 'x', style: 'plain' as const }] };
    },
  }));
  for (const kind of ['text', 'log', 'list', 'history'] as const)
    paneWindow(all, { kind, place: undefined, width: 80, height: 20 });
  expect(broken).toBeLessThan(500);
});

describe('a time', () => {
  it('is said once of lines that follow each other, but of the first in sight and of the one at the cursor', () => {
    const timed = ['9:00', '9:00', '9:00', '9:01', '9:01'].map((time, at): PaneLine => ({
      at,
      time,
      line: {
        spans: [
          { text: time, style: 'dim' },
          { text: ` ${at}`, style: 'plain' },
        ],
      },
    }));
    expect(shown(timed, 'history', 4, { height: 5 }).rows).toEqual([
      '9:00 0',
      '     1',
      '     2',
      '9:01 3',
      '›9:01 4',
    ]);
    expect(shown(timed, 'history', 2).rows).toEqual(['9:00 1', '›9:00 2', '9:01 3']);
  });
});
