import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHeld } from '../files/kernel-lock.ts';
import { countFailed, readProcFile } from './proc-file.ts';
import { everyPid } from './process-table.ts';

/** The kernel locks in a folder, by the beginning of their names, that somebody holds, or of which nobody here may know. */
export function heldLocks(folder: string, beginning: string): string[] {
  return readOr([], () => readdirSync(folder))
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(folder, name))
    .filter((path) => isHeld(path) !== false);
}

/**
 * The process that has a lock, among those that can be seen here or the given ones. Who has a file open need not have
 * its lock, and a lock of `flock` is another one. Linux only; every open file of a process is looked at, and of the
 * processes the newest first: whoever works here started after the machine did.
 */
export function holderOf(path: string, among: readonly number[] = everyPid()): number | undefined {
  const lock = readOr(undefined, () => statSync(path));
  return among.find((pid) =>
    readOr([], () => readdirSync(`/proc/${pid}/fd`)).some((fd) => {
      const file = readOr(undefined, () => statSync(`/proc/${pid}/fd/${fd}`));
      if (!file || file.ino !== lock?.ino || file.dev !== lock.dev) return false;
      return /^lock:.*\bOFDLCK\b.*\bWRITE\b/m.test(readProcFile(pid, `fdinfo/${fd}`) ?? '');
    }),
  );
}

/** Processes end while they are looked at, and others are not ours to look at. */
export function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    countFailed(error);
    return otherwise;
  }
}
