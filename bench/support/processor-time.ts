import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** The time of a processor that a process has used, all its threads together, in seconds (Linux only: it reads `/proc`). */
export function processorSeconds(pid: number): number {
  return secondsOf(pid, [14, 15]);
}

/** The same of the processes that this one has started, and that have ended. */
export function childrenSeconds(): number {
  return secondsOf(process.pid, [16, 17]);
}

/** Fields of proc(5) stat, counted behind the command, which may hold blanks. */
function secondsOf(pid: number, fields: readonly number[]): number {
  const behind = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.reduce((sum, field) => sum + Number(behind[field - 3]), 0) / TICKS_PER_SECOND;
}
