import { describe, expect, it } from 'vitest';
import type { ChangedLine } from '../../../src/views/changes/compare-lines.ts';
import { foldedLines } from '../../../src/views/changes/folded-lines.ts';

const kept = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at): ChangedLine => ({ is: 'kept', text: `${from + at}` }));
const added: ChangedLine = { is: 'added', text: 'new' };
const removed: ChangedLine = { is: 'removed', text: 'old' };
/** In a word each: texts, how many are left out, and the changes. */
const said = (lines: readonly ChangedLine[]) =>
  foldedLines(lines)
    .map((line) => (line.is === 'folded' ? `(${line.count})` : line.text))
    .join(' ');

describe('foldedLines', () => {
  it('leaves out what is unchanged but for three lines around each change', () => {
    expect(said([...kept(1, 10), removed, added, ...kept(11, 30), added, ...kept(31, 40)])).toBe(
      '(7) 8 9 10 old new 11 12 13 (14) 28 29 30 new 31 32 33 (7)',
    );
  });

  it('leaves out no stretch that is hardly longer than the line that says so', () => {
    expect(said([added, ...kept(1, 10), added])).toBe('new 1 2 3 4 5 6 7 8 9 10 new');
    expect(said([added, ...kept(1, 11), added])).toBe('new 1 2 3 (5) 9 10 11 new');
    expect(said([...kept(1, 7), added])).toBe('1 2 3 4 5 6 7 new');
    expect(said([...kept(1, 8), added])).toBe('(5) 6 7 8 new');
  });

  it('has nothing in sight of what changes nothing', () => {
    expect(said(kept(1, 9))).toBe('(9)');
    expect(said([])).toBe('');
  });
});
