import { clamp } from './clamp.ts';

/** Lines that are in sight, and those that are not, above and below. */
export type Extent = { readonly above: number; readonly shown: number; readonly below: number };

const PART = '▐';
const ABOVE = '▲';
const BELOW = '▼';

/**
 * A bar of so many cells, one below the other: which part of all lines is in sight, and on which sides there are more. Where some
 * are above or below, one cell at least says so.
 */
export function scrollCells({ above, shown, below }: Extent, cells: number): string[] {
  const sides = (above > 0 ? 1 : 0) + (below > 0 ? 1 : 0);
  if (sides === 0 || cells < 1) return [];
  if (cells <= sides) return [above > 0 ? ABOVE : BELOW, BELOW].slice(0, cells);
  const length = clamp(Math.round((cells * shown) / (above + shown + below)), 1, cells - sides);
  const free = cells - length;
  const first = above > 0 ? 1 : 0;
  const start = clamp(Math.round((free * above) / (above + below)), first, free - (below > 0 ? 1 : 0));
  return Array.from({ length: cells }, (_, at) => {
    if (at >= start && at < start + length) return PART;
    if (at === 0) return ABOVE;
    return at === cells - 1 ? BELOW : ' ';
  });
}
