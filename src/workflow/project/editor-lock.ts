import { join } from 'node:path';
import { tryHold, type HeldLock } from '../../lib/files/kernel-lock.ts';
import { heldLocks } from '../../lib/processes/lock-holder.ts';
import { lockFile } from './lock-file.ts';

const BEGINNING = 'editor-';

/** So many agents of editors are at work on one project at once. */
const MAX_EDITORS = 100;

/**
 * Takes a lock that says: what this process starts is an agent of an editor. As long as it is held nothing of that is
 * taken for a human. `dir`: the project's `.clifford`.
 *
 * @returns `undefined` when there are too many already.
 * @throws {CliffordError} `LOCK_INACCESSIBLE`, `FOLDER_LINKED`.
 */
export function holdEditorLock(dir: string): HeldLock | undefined {
  for (let number = 1; number <= MAX_EDITORS; number += 1) {
    const lock = tryHold(lockFile(dir, `${BEGINNING}${number}.lock`));
    if (lock) return lock;
  }
  return undefined;
}

/** The locks of those that are at work on a project, or may be. */
export function heldEditorLocks(dir: string): string[] {
  return heldLocks(join(dir, 'locks'), BEGINNING);
}
