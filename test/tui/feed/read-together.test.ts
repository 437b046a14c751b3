import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadTogether } from '../../../src/tui/feed/read-together.ts';

/** So much passed in which no timer could fire, in ms. */
let busyMs = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + busyMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Which of these came together with others: each after so many ms, in the first of which nothing else could be done. */
function read(...reads: readonly (readonly [chunk: string, afterMs?: number, busy?: number])[]): boolean[] {
  const together = new ReadTogether();
  return reads.map(([chunk, afterMs = 100, busy = 0]) => {
    busyMs += busy;
    vi.advanceTimersByTime(afterMs - busy);
    together.take(chunk);
    return together.isTogether;
  });
}

it.each([
  ['a letter', 'y'],
  ['Enter', '\r'],
  ['Enter as two characters', '\r\n'],
  ['an emoji', '👨‍👩‍👧'],
  ['Esc', '\u001B'],
  ['a letter with Alt', '\u001By'],
  ['an arrow', '\u001B[A'],
  ['an arrow with modifiers', '\u001B[1;5A'],
  ['a key of the Linux console', '\u001B[[A'],
  ['a key of a keypad', '\u001BOM'],
  ['a click', '\u001B[<0;10;10M'],
])('%s is a key alone', (_what, chunk) => {
  expect(read([chunk], [chunk])).toEqual([false, false]);
});

it.each([
  ['two letters', 'yy'],
  ['a letter and Enter', 'y\r'],
  ['an arrow and Enter', '\u001B[B\r'],
  ['a letter behind a sequence that nobody knows', '\u001BOyy'],
  ['a letter behind another one', '\u001B[1;2;3zy'],
  ['a letter before it', 'y\u001BOy'],
  ['a letter behind a paste', '\u001B[200~a\u001B[201~y'],
])('%s come together', (_what, chunk) => {
  expect(read([chunk])).toEqual([true]);
});

it('a key that comes without a pause belongs to what came before', () => {
  expect(read(['a'], ['\r', 0], ['\r', 19], ['\r', 20])).toEqual([false, true, true, false]);
});

it('a key of who types fast comes alone, also while the one before takes its time', () => {
  expect(read(['a'], ['\r', 30], ['b', 30, 20], ['\r', 50, 50])).toEqual([false, false, false, false]);
});

it('a key that waited until all before it was done may have come with that', () => {
  expect(read(['a'], ['\r', 49, 46], ['b'])).toEqual([false, true, false]);
});
