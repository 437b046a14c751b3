import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, unlock } from 'fs-native-extensions';
import { CliffordError } from '../errors.ts';

/** A lock this process holds on a file. The kernel releases it when the process dies. */
export type HeldLock = { readonly release: () => void };

/** Pause between two tries of a waiter, in ms. */
const RETRY_MS = 5;

/** Takes the lock on `path`, or says `undefined` when another process, or another holder here, has it. */
export function tryHold(path: string): HeldLock | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, 'a+', 0o600);
  let held = false;
  try {
    held = tryLock(fd);
  } finally {
    if (!held) closeSync(fd);
  }
  if (!held) return undefined;
  return {
    release: () => {
      unlock(fd);
      closeSync(fd);
    },
  };
}

/**
 * Runs `work` while holding the lock on `path`, waiting for it `waitMs` at most.
 *
 * @throws {CliffordError} `LOCK_BUSY` when another process holds it for longer.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 10_000 }: { waitMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + waitMs;
  let lock = tryHold(path);
  while (!lock) {
    if (performance.now() >= deadline) {
      throw new CliffordError(`Cannot take the lock ${path}: another process has held it for ${waitMs} ms`, {
        code: 'LOCK_BUSY',
        fix: 'Look for a stopped clifford process and end it, then try again',
        recovery: 'retry',
      });
    }
    await sleep(RETRY_MS);
    lock = tryHold(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
