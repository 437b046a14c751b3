import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrollCells } from '../../../src/tui/text/scroll-cells.ts';

describe('a scroll bar', () => {
  it.each([
    ['where all is in sight', { above: 0, shown: 9, below: 0 }, 5, ''],
    ['at the beginning', { above: 0, shown: 5, below: 15 }, 5, '▐   ▼'],
    ['at the end', { above: 15, shown: 5, below: 0 }, 5, '▲   ▐'],
    ['in between', { above: 5, shown: 5, below: 10 }, 8, '▲ ▐▐   ▼'],
    ['where little is out of sight', { above: 1, shown: 98, below: 1 }, 5, '▲▐▐▐▼'],
    ['of one cell', { above: 3, shown: 1, below: 3 }, 1, '▲'],
    ['of two cells', { above: 3, shown: 1, below: 3 }, 2, '▲▼'],
    ['of one cell, at the beginning', { above: 0, shown: 1, below: 3 }, 1, '▼'],
  ])('%s', (_what, extent, cells, bar) => {
    expect(scrollCells(extent, cells).join('')).toBe(bar);
  });

  it('says of each side whether there is more, in as many cells as there are', () => {
    const lines = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 200 }),
        lines,
        fc.integer({ min: 3, max: 80 }),
        (above, shown, below, cells) => {
          fc.pre(above + below > 0);
          const bar = scrollCells({ above, shown, below }, cells);
          expect(bar).toHaveLength(cells);
          expect([bar[0] !== '▐', bar.at(-1) !== '▐']).toEqual([above > 0, below > 0]);
          expect(bar).toContain('▐');
        },
      ),
    );
  });
});
