import { machineOf } from './worker-name.ts';

/**
 * Machines that could not begin a sprint, or a task, in a row, since they lacked its files, or anybody's agreement to its commands: with no
 * attempt begun in between, and nobody that had them. `machines`: which, each once; `times`: how often that was, whichever they were; `reason`:
 * what the last one said.
 */
export type Unfit = {
  readonly machines: readonly string[];
  readonly times: number;
  readonly reason?: string | undefined;
};

/** So many machines are told apart: no more than may be lost with a sprint. */
const MOST_MACHINES = 1_000;
/** How often one machine may be unfit for as many times as different ones may: it alone says little about the files. */
const TIMES_OF_ONE = 10;

/** The count once a worker could not begin it either. Its machine counts once, also when it was started anew. */
export function countUnfit(
  unfit: Unfit | undefined,
  { worker, reason }: { readonly worker: string; readonly reason: string },
): Unfit {
  const { machines = [], times = 0 } = unfit ?? {};
  const machine = machineOf(worker);
  const known = machines.includes(machine) || machines.length === MOST_MACHINES;
  return { machines: known ? machines : [...machines, machine], times: times + 1, reason };
}

/** Why nobody else is to try: so many different machines could not, or the same ones ten times as often. `undefined`: somebody is. */
export function whyNobody({ machines, times }: Unfit, most: number): string | undefined {
  if (machines.length >= most)
    return most === 1 ? '' : `${machines.length} machines in a row could not begin it, the last one: `;
  return times >= most * TIMES_OF_ONE
    ? `${times} times in a row it could not be begun, the last time: `
    : undefined;
}
