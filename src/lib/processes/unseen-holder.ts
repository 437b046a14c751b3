import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHeld } from '../files/kernel-lock.ts';
import { readProcFile } from './proc-file.ts';

/** The namespace of processes that a machine starts with: nothing is outside of it. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/**
 * Whether one of the kernel locks in a folder is held by a process that this one cannot see: in another namespace of
 * processes, as outside of a container. Linux only, elsewhere never.
 */
export function hasUnseenHolder(folder: string, beginning: string): boolean {
  if (process.platform !== 'linux' || readOr('', () => readlinkSync('/proc/self/ns/pid')) === FIRST_NAMESPACE)
    return false;
  return readOr([], () => readdirSync(folder))
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(folder, name))
    .some((path) => isHeld(path) !== false && !isHolderSeen(path));
}

/** Whether one of the processes that can be seen here has the lock. Who has a file open need not have its lock. */
function isHolderSeen(path: string): boolean {
  const lock = readOr(undefined, () => statSync(path));
  return readOr([], () => readdirSync('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .some((pid) =>
      readOr([], () => readdirSync(`/proc/${pid}/fd`)).some((fd) => {
        const file = readOr(undefined, () => statSync(`/proc/${pid}/fd/${fd}`));
        if (!file || file.ino !== lock?.ino || file.dev !== lock.dev) return false;
        return /^lock:.*WRITE/m.test(readProcFile(Number(pid), `fdinfo/${fd}`) ?? '');
      }),
    );
}

/** Processes end while they are looked at, and others are not ours to look at. */
function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
