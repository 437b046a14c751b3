const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A span of time in the largest unit that says it in full, of two or more: `60 s`, `10 min`, `4 h`, `250 ms`. */
export function spanText(ms: number): string {
  for (const [name, unitMs] of units)
    if (ms >= 2 * unitMs && ms % unitMs === 0) return `${ms / unitMs} ${name}`;
  return `${ms} ms`;
}
