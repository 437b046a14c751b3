import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadTogether } from '../../../src/tui/screen/read-together.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Which of these came together with others: each after so many ms, the one before done with after some of them. */
async function read(...reads: readonly (readonly [chunk: string, afterMs?: number, doneMs?: number])[]) {
  const together = new ReadTogether();
  const seen: boolean[] = [];
  for (const [chunk, afterMs = 100, doneMs = 0] of reads) {
    vi.advanceTimersByTime(doneMs);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(afterMs - doneMs);
    together.take(chunk);
    seen.push(together.isTogether);
  }
  return seen;
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
])('%s is a key alone', async (_what, chunk) => {
  expect(await read([chunk], [chunk])).toEqual([false, false]);
});

it.each([
  ['two letters', 'yy'],
  ['a letter and Enter', 'y\r'],
  ['an arrow and Enter', '\u001B[B\r'],
  ['a letter behind a sequence that nobody knows', '\u001BOyy'],
  ['a letter behind another one', '\u001B[1;2;3zy'],
  ['a letter before it', 'y\u001BOy'],
  ['a letter behind a paste', '\u001B[200~a\u001B[201~y'],
])('%s come together', async (_what, chunk) => {
  expect(await read([chunk])).toEqual([true]);
});

it('a key that comes without a pause belongs to what came before', async () => {
  expect(await read(['a'], ['\r', 0], ['\r', 19], ['\r', 20])).toEqual([false, true, true, false]);
});

it('a key of who types fast comes alone, also while the one before takes its time', async () => {
  expect(await read(['a'], ['\r', 30], ['b', 30, 20], ['\r', 30, 25])).toEqual([false, false, false, false]);
});

it('a key that waited until all before it was done may have come with that', async () => {
  expect(await read(['a'], ['\r', 60, 56], ['b'])).toEqual([false, true, false]);
});
