import { randomInt } from 'node:crypto';

/**
 * Chooses what the tests of a run share, before they start, and prints it so that the run can be repeated.
 *
 * The same seed makes the same histories and picks the same instants; how far the machine got by then is its own affair.
 */
export function setup(): void {
  const seed = (process.env['FAULT_SEED'] ??= String(randomInt(2 ** 31)));
  const runs = process.env['FAULT_RUNS'];
  console.log(
    `FAULT_SEED=${seed} ${runs === undefined ? '(each test has its own count)' : `FAULT_RUNS=${runs}`}\n`,
  );
}
