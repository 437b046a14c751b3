import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { countFailed, readProcFile } from './proc-file.ts';

/** A process as `/proc` shows it. */
export type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Its controlling terminal; 0: it has none. */
  readonly terminal: number;
  /** The process group that has this terminal, which reads what is typed; -1: it has none. */
  readonly foreground: number;
  /** When it started, in clock ticks since boot: with its pid and the boot it names it for good. */
  readonly start: string;
  /** CPU time it has used, in clock ticks: hundredths of a second. */
  readonly cpuTicks: number;
  /** It has exited and only waits for its parent to notice. */
  readonly isDead: boolean;
};

/** Is there a `/proc` to read? Elsewhere less is known of other processes. */
export const hasProcessTable = process.platform === 'linux';

/**
 * The pid of this process in `/proc`: where that is the one of another namespace of processes, `process.pid` is the number
 * of somebody else there. 0: `/proc` does not have this process.
 */
export function ownPid(): number {
  if (!hasProcessTable) return process.pid;
  try {
    return Number(readlinkSync('/proc/self'));
  } catch {
    return 0;
  }
}

/** One process, `undefined` when there is none with that pid. Linux only. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readProcFile(pid, 'stat');
  // The command's name, in brackets, may hold spaces and brackets itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, ...others] = fields.slice(0, 6);
  const start = fields[19];
  if (state === undefined || start === undefined) return undefined;
  const [parent = 0, group = 0, session = 0, terminal = 0, foreground = -1] = others.map(Number);
  const cpuTicks = Number(fields[11]) + Number(fields[12]);
  const isDead = state === 'Z' || state === 'X';
  return { pid, parent, group, session, terminal, foreground, start, cpuTicks, isDead };
}

/** Of the kernel's clock ticks there are a hundred per second. */
export const TICK_MS = 10;

/** How long ago a process was started, in ms. */
export function ageMs({ start }: Pick<ProcessEntry, 'start'>): number {
  return uptime() * 1000 - Number(start) * TICK_MS;
}

/**
 * What no later process with the same pid has: the number of its folder in `/proc`, and since when there is that. `undefined`:
 * there is no such process. The same process may have another one after a while. Linux only; 2 to 4 µs.
 */
export function folderOf(pid: number): string | undefined {
  const stats = statSync(`/proc/${pid}`, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.ctimeNs}`;
}

/** Every process that lives. Linux only; about 20 µs each. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined)
    .filter(({ isDead }) => !isDead);
}

/** The pid of every process that can be seen, the newest first. Linux only; elsewhere none. */
export function everyPid(): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).toSorted((one, other) => other - one);
  } catch (error) {
    countFailed(error);
    return [];
  }
}
