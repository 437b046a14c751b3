import type { EventData } from '../events/catalog.ts';
import { machineOf } from './worker-name.ts';

/**
 * Machines that could not begin a sprint, or a task, in a row: with no attempt begun in between, and nobody that had its files. `machines`: which
 * of them lacked the files, each once; `times`: how often that was, whichever they were; `reason`: what the last one said. `untrusting`: where
 * nobody has agreed to its commands; `leftTo`: what was said last of another machine that is there, and has its work. These say nothing about it, and count for
 * nothing.
 */
export type Unfit = {
  readonly machines: readonly string[];
  readonly times: number;
  readonly reason?: string | undefined;
  readonly untrusting?: { readonly machines: readonly string[]; readonly reason: string } | undefined;
  readonly leftTo?: string | undefined;
};

/** So many machines are told apart: no more than may be lost with a sprint. */
const MOST_MACHINES = 1_000;
/** How often one machine may be unfit for as many times as different ones may: it alone says little about the files. */
const TIMES_OF_ONE = 10;

/** The count once a worker could not begin it either. Its machine counts once, also when it was started anew. */
export function countUnfit(
  unfit: Unfit | undefined,
  { worker, reason, unfit: lacks }: Pick<EventData<'job.returned'>, 'worker' | 'reason' | 'unfit'>,
): Unfit {
  const { machines, times, untrusting, ...rest } = unfit ?? { machines: [], times: 0 };
  const withIts = (known: readonly string[]) => withMachine(known, machineOf(worker));
  if (lacks === 'work') return { ...(unfit ?? { machines, times }), leftTo: reason };
  if (lacks === 'agreement')
    return {
      ...rest,
      machines,
      times,
      untrusting: { machines: withIts(untrusting?.machines ?? []), reason },
    };
  return { machines: withIts(machines), times: times + 1, reason, ...(untrusting && { untrusting }) };
}

function withMachine(machines: readonly string[], machine: string): readonly string[] {
  const isKnown = machines.includes(machine) || machines.length === MOST_MACHINES;
  return isKnown ? machines : [...machines, machine];
}

/** Why nobody else is to try: so many different machines could not, or the same ones ten times as often. `undefined`: somebody is. */
export function whyNobody({ machines, times }: Unfit, most: number): string | undefined {
  if (machines.length >= most)
    return most === 1 ? '' : `${machines.length} machines in a row could not begin it, the last one: `;
  return times >= most * TIMES_OF_ONE
    ? `${times} times in a row it could not be begun, the last time: `
    : undefined;
}
