import { z } from 'zod';

const numberSchema = z.coerce.number().int().nonnegative();

/** How often a test repeats its fault: `FAULT_RUNS`, else the test's own count. */
export function faultRuns(usual: number): number {
  return numberSchema.min(1).parse(process.env['FAULT_RUNS'] ?? usual);
}

/**
 * The seed of this run, `FAULT_SEED`; `npm run test:faults` chooses and prints one when there is none.
 *
 * @throws {Error} outside `npm run test:faults` without a `FAULT_SEED`: such a run could not be repeated.
 */
export function faultSeed(): number {
  return numberSchema.parse(process.env['FAULT_SEED']);
}
