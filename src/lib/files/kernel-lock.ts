import { closeSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { messageOf } from '../message-of.ts';
import { codeOf, isMissing } from '../system-error.ts';
import { nativeLocks } from './native-locks.ts';
import { makeOwnFolder } from './own-folder.ts';
import { NotPlainFileError, openPlainFile } from './plain-file.ts';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/** A lock this process holds on a file. The kernel releases it when the process dies. */
export type HeldLock = { readonly release: () => void };

/**
 * Pause between two tries of a waiter, in ms. The kernel tells nobody that a lock was let go, and a holder
 * who does, by touching the file, makes nothing faster: the lock changes its owner more often.
 */
const RETRY_MS = 5;

/**
 * Takes the lock on `path`, or says `undefined` when another process, or another holder here, has it.
 * Makes the file, its folder and what is missing above it.
 *
 * @throws {CliffordError} `LOCK_INACCESSIBLE`, also when something else is in its place; `FOLDER_LINKED` when its folder
 *   is a link by now, whatever it was when the path was made.
 */
export function tryHold(path: string): HeldLock | undefined {
  let fd: number | undefined;
  try {
    makeLockFolder(dirname(path));
    fd = openPlainFile(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    if (nativeLocks().tryLock(fd)) return heldLock(fd);
  } catch (cause) {
    if (fd !== undefined) closeSync(fd);
    throw cause instanceof CliffordError ? cause : inaccessible(path, cause);
  }
  closeSync(fd);
  return undefined;
}

/**
 * Whether another process, or another holder here, has the lock on `path`. Makes nothing. Whoever wants to take
 * the lock in the same instant may find it taken: he should try again.
 *
 * @returns `undefined` when the file cannot be opened, or is none: nobody here may know.
 */
export function isHeld(path: string): boolean | undefined {
  let fd: number | undefined;
  try {
    fd = openPlainFile(path, O_RDONLY | O_NOFOLLOW);
    return !nativeLocks().tryLock(fd, { shared: true });
  } catch (error) {
    return isMissing(error) ? false : undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Runs `work` while holding the lock on `path`, waiting for it `waitMs` at most.
 *
 * @throws the reason of `signal` when it aborts while somebody else has the lock.
 * @throws {CliffordError} `LOCK_BUSY` when another process holds it for longer; `LOCK_INACCESSIBLE`, `FOLDER_LINKED`.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 10_000, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  const lock = tryHold(path) ?? (await waitForLock(path, waitMs, signal));
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function makeLockFolder(folder: string): void {
  try {
    makeOwnFolder(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
}

function heldLock(fd: number): HeldLock {
  return {
    release: () => {
      nativeLocks().unlock(fd);
      closeSync(fd);
    },
  };
}

async function waitForLock(path: string, waitMs: number, signal: AbortSignal | undefined): Promise<HeldLock> {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    await sleep(RETRY_MS);
    const lock = tryHold(path);
    if (lock) return lock;
  }
  throw busy(path, waitMs);
}

function busy(path: string, waitMs: number): CliffordError {
  return new CliffordError(`Cannot take the lock ${path}: another process has held it for ${waitMs} ms`, {
    code: 'LOCK_BUSY',
    fix: 'Look for a stopped clifford process and end it, then try again',
    recovery: 'retry',
  });
}

function inaccessible(path: string, cause: unknown): CliffordError {
  return new CliffordError(`Cannot take the lock ${path}: ${messageOf(cause)}`, {
    code: 'LOCK_INACCESSIBLE',
    fix:
      cause instanceof NotPlainFileError
        ? 'Remove it: Clifford makes the file anew'
        : 'Make the file and its folder writable for this user, then try again',
    cause,
  });
}
