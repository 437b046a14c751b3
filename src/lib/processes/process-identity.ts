import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasProcessTable, readProcess } from './process-table.ts';

/** Tells one process from every other, also from a later one with the same pid. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks since boot on Linux, the start as `ps` prints it elsewhere; `''` when it is gone. */
  readonly processStart: string;
  readonly bootId: string;
};

/** The identity of a process that this process has just started. Elsewhere than on Linux it costs a `ps`. */
export function identify(pid: number): ProcessIdentity {
  return { pid, processStart: startOf(pid), bootId: bootId() };
}

/** Does that very process still live? */
export function isAlive({ pid, processStart, bootId: boot }: ProcessIdentity): boolean {
  if (processStart === '' || boot !== bootId()) return false;
  if (hasProcessTable && readProcess(pid)?.isDead) return false;
  return startOf(pid) === processStart;
}

/** What changes whenever the machine starts anew. */
function bootId(): string {
  knownBootId ??= hasProcessTable
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    : execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).trim();
  return knownBootId;
}

/** Asked of the system once: it is the same for as long as this process lives. */
let knownBootId: string | undefined;

function startOf(pid: number): string {
  if (hasProcessTable) return readProcess(pid)?.start ?? '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // ps fails when there is no such process.
    return '';
  }
}
