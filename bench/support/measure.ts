/** The middle of a list of numbers, the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share `q` (0 to 1) of the values lies, interpolated. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new Error('Cannot take a quantile of no values');
  return low + (high - low) * (at - Math.floor(at));
}

/** One thing to measure. It returns its own figure: a time, a rate, whatever the table says. */
export type Contender<Name extends string> = { readonly name: Name; readonly run: () => Promise<number> };

/**
 * Runs the contenders in turn, round after round, so that a slow minute of the machine meets all of
 * them, and returns each one's figures. The first round warms up and is left out. The order is
 * reversed in every other round: nobody always runs after the same neighbour.
 */
export async function runInterleaved<Name extends string>(
  rounds: number,
  contenders: readonly Contender<Name>[],
): Promise<Map<Name, number[]>> {
  const figures = new Map<Name, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const figure = await run();
      if (round > 0) figures.get(name)?.push(figure);
    }
  }
  return figures;
}

/** The median over the rounds of `a / b`, both measured in the same round. */
export function ratio<Name extends string>(figures: ReadonlyMap<Name, number[]>, a: Name, b: Name): number {
  const below = figures.get(b) ?? [];
  return median((figures.get(a) ?? []).map((value, round) => value / (below[round] ?? Number.NaN)));
}

/** How long `work` takes, in ms. */
export async function timeMs(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
