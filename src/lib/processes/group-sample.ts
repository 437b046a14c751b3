import { hasProcessTable, listProcesses, TICK_MS } from './process-table.ts';

/** What a process group looks like at one instant. */
export type GroupSample = {
  /** Its processes, written so that two samples can be compared. */
  readonly processes: string;
  /** CPU time that those have used, in ms. */
  readonly cpuMs: number;
};

/** Looks at a process group; `undefined` where there is no `/proc`. Costs 20 µs for each process of the machine. */
export function sampleGroup(group: number): GroupSample | undefined {
  if (!hasProcessTable) return undefined;
  const own = listProcesses().filter((entry) => entry.group === group);
  return {
    processes: own.map(({ pid, start }) => `${pid}@${start}`).join(' '),
    cpuMs: own.reduce((sum, { cpuTicks }) => sum + cpuTicks * TICK_MS, 0),
  };
}
