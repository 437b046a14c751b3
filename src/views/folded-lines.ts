import type { ChangedLine } from './call-changes.ts';

/** Lines that stay as they are, and are left out. */
export type FoldedLines = { readonly is: 'folded'; readonly count: number };

/** So many unchanged lines stay in sight above and below a change. */
const CONTEXT = 3;
/** Fewer are not left out: the line that says so would take their room. */
const LEAST_FOLDED = 3;

/** The lines of a change, long stretches of unchanged ones left out. */
export function foldedLines(lines: readonly ChangedLine[]): (ChangedLine | FoldedLines)[] {
  return stretchesOf(lines).flatMap((stretch, at, all) => {
    if (stretch[0]?.is !== 'kept') return stretch;
    const above = at === 0 ? 0 : CONTEXT;
    const below = at === all.length - 1 ? 0 : CONTEXT;
    const count = stretch.length - above - below;
    if (count < LEAST_FOLDED) return stretch;
    return [...stretch.slice(0, above), { is: 'folded', count }, ...stretch.slice(above + count)];
  });
}

/** Unchanged lines, and changed ones, in turns. */
function stretchesOf(lines: readonly ChangedLine[]): ChangedLine[][] {
  const stretches: ChangedLine[][] = [];
  for (const line of lines) {
    const last = stretches.at(-1);
    if (last && (last[0]?.is === 'kept') === (line.is === 'kept')) last.push(line);
    else stretches.push([line]);
  }
  return stretches;
}
