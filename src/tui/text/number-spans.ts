import type { RowNumbers } from '../../views/changes/diff-rows.ts';
import type { Span } from './spans.ts';

/** From so many cells on differences have the numbers of their lines. */
const LEAST_WIDTH = 60;

/** What stands in front of each line of a difference: its numbers before and after, where there is room for them. */
export function numberSpans(
  lines: readonly RowNumbers[],
  width: number,
): (line: Partial<RowNumbers>) => readonly Span[] {
  const most = lines.reduce((top, { before = 0, after = 0 }) => Math.max(top, before, after), 0);
  if (most === 0 || width === Infinity || width < LEAST_WIDTH) return () => [];
  // Of a new file, or of one that is gone, all are on one side.
  const sides = (['before', 'after'] as const).filter((side) =>
    lines.some((line) => line[side] !== undefined),
  );
  const digits = String(most).length;
  return (line) => {
    const text = sides.map((side) => `${line[side] ?? ''}`.padStart(digits)).join(' ');
    return [{ text: `${text} `, style: 'dim' }];
  };
}
