import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;

/** The time of a processor that a process has used, all its threads together, in seconds (Linux only: it reads `/proc`). */
export function processorSeconds(pid: number): number {
  return secondsOf(pid, [14, 15]);
}

/** The same of the processes that this one has started, and that have ended. */
export function childrenSeconds(): number {
  return secondsOf(process.pid, [16, 17]);
}

/** How much of a core a process uses while something goes on. */
export async function shareOf(pid: number, goesOn: () => Promise<unknown>): Promise<number> {
  const [used, begun] = [processorSeconds(pid), performance.now()];
  await goesOn();
  return ((processorSeconds(pid) - used) * 1_000) / (performance.now() - begun);
}

/** Waits until a process does next to nothing for three seconds, a minute at most. */
export async function atRest(pid: number): Promise<void> {
  for (let left = 20; left > 0; left -= 1) if ((await shareOf(pid, () => sleep(3_000))) < 0.01) return;
}

/** Fields of proc(5) stat, counted behind the command, which may hold blanks. */
function secondsOf(pid: number, fields: readonly number[]): number {
  const behind = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.reduce((sum, field) => sum + Number(behind[field - 3]), 0) / TICKS_PER_SECOND;
}
