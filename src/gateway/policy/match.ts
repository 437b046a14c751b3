/** Whether something holds; `unsure` where a server may read a value in a way nobody here can know. */
export type Match = 'yes' | 'no' | 'unsure';

/** One verdict of several readings of the same value: `unsure` when they differ. */
export function agreed(verdicts: readonly Match[]): Match {
  const [first = 'unsure', ...others] = verdicts;
  return others.every((other) => other === first) ? first : 'unsure';
}
