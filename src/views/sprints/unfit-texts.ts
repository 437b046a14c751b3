import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Unfit } from '../../machines/unfit.ts';

/** Where what waits in the queue could not be begun, and why, as the last machine says: a line each. */
export function unfitTexts(unfit: Unfit | undefined): string[] {
  if (!unfit) return [];
  const { machines, reason = 'the log does not say why', untrusting, leftTo } = unfit;
  const onMachines = (all: readonly string[]) => count(all.length, 'machine');
  return [
    ...(machines.length > 0 ? [`${onMachines(machines)} could not begin it: ${reason}`] : []),
    ...(untrusting ? [`not agreed to on ${onMachines(untrusting.machines)}: ${untrusting.reason}`] : []),
    ...(leftTo === undefined ? [] : [leftTo]),
  ].map(visibleLine);
}
