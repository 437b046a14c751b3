import { isDeepStrictEqual } from 'node:util';
import { pinsToSnapshot, toSnapshot } from '../../machines/project-snapshot.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';

/** Whether two folds of a stream came to the same. `undefined`: the stream has no events. */
export function isSameSprint(a: SprintState | undefined, b: SprintState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isSame(toSnapshot(a), toSnapshot(b));
}

/** Whether two folds came to the same rules that humans granted, and to the same known definitions of tools. */
export function isSamePolicy(a: ProjectState, b: ProjectState): boolean {
  return isSame(policyOf(a), policyOf(b));
}

/** Whether two folds came to the same use of the latest day. */
export function isSameSpending(a: ProjectState, b: ProjectState): boolean {
  return isSame(a.spending, b.spending);
}

/** Whether two folds of a whole log came to the same. */
export function isSameState(a: ProjectState, b: ProjectState): boolean {
  if (!isSame(totalsOf(a), totalsOf(b))) return false;
  const ids = new Set([...a.streams.keys(), ...b.streams.keys()]);
  return [...ids].every((id) => isSameSprint(a.streams.get(id), b.streams.get(id)));
}

function policyOf({ policyRules, pins }: ProjectState): unknown {
  return { policyRules, pins: pinsToSnapshot(pins) };
}

function totalsOf(state: ProjectState): unknown {
  const { spending, limits } = state;
  return { spending, limits, policy: policyOf(state) };
}

/** As JSON: what is not there and what is `undefined` are the same, and the order of fields means nothing. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}
