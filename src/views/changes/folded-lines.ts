import type { ChangedLine } from './compare-lines.ts';

/** Lines of a change in a row; folded: they stay as they are, far from everything that does not. */
export type Stretch<L> = { readonly isFolded: boolean; readonly lines: readonly L[] };

/** So many unchanged lines stay in sight above and below a change. */
const CONTEXT = 3;
/** Fewer are not left out: the line that says so, and the key that shows them, would save hardly any room. */
const LEAST_FOLDED = 5;

/** The lines of a change, all of them, long stretches of unchanged ones folded. */
export function foldedStretches<L extends Pick<ChangedLine, 'is'>>(
  lines: readonly L[],
): readonly Stretch<L>[] {
  return stretchesOf(lines).flatMap((stretch, at, all) => {
    const shown = [{ isFolded: false, lines: stretch }];
    if (stretch[0]?.is !== 'kept') return shown;
    const above = at === 0 ? 0 : CONTEXT;
    const below = at === all.length - 1 ? 0 : CONTEXT;
    const end = stretch.length - below;
    if (end - above < LEAST_FOLDED) return shown;
    return [
      { isFolded: false, lines: stretch.slice(0, above) },
      { isFolded: true, lines: stretch.slice(above, end) },
      { isFolded: false, lines: stretch.slice(end) },
    ].filter((part) => part.lines.length > 0);
  });
}

/** Lines that stay as they are, and are left out. */
export type FoldedLines = { readonly is: 'folded'; readonly count: number };

/** The lines of a change, long stretches of unchanged ones left out. */
export function foldedLines<L extends ChangedLine>(lines: readonly L[]): (L | FoldedLines)[] {
  return foldedStretches(lines).flatMap((stretch): readonly (L | FoldedLines)[] =>
    stretch.isFolded ? [{ is: 'folded', count: stretch.lines.length }] : stretch.lines,
  );
}

/** Whether any are left out then. */
export function hasFolds(lines: readonly ChangedLine[]): boolean {
  return foldedStretches(lines).some(({ isFolded }) => isFolded);
}

/** Unchanged lines, and changed ones, in turns. */
export function stretchesOf<L extends Pick<ChangedLine, 'is'>>(
  lines: readonly L[],
): readonly (readonly L[])[] {
  const stretches: L[][] = [];
  for (const line of lines) {
    const last = stretches.at(-1);
    if (last && (last[0]?.is === 'kept') === (line.is === 'kept')) last.push(line);
    else stretches.push([line]);
  }
  return stretches;
}
