import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { isHeld, tryHold } from '../../lib/files/kernel-lock.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { namesIn } from '../../lib/files/sweep-temporaries.ts';
import { isRefused } from '../../lib/system-error.ts';

/** What is done in a folder beside a worktree, where git sees nothing of it: also of what it is to ignore. */
type Purpose = 'copying' | 'removed';

/** What whoever copies holds in the folder of his copies. */
const LOCK = 'lock';

/** How old such a folder has to be that has no lock yet, in ms. */
const MADE_MS = 60_000;

/** Makes such a folder, `<worktree>~removed-x7Yz0Q`: nobody else has that name, and what is left of another one is not in the way. */
export function makeBeside(worktree: string, purpose: Purpose): string {
  return mkdtempSync(`${worktree}~${purpose}-`);
}

/**
 * Removes all such folders of a worktree. One that resists keeps no other.
 *
 * @returns the first that is still there, and what the system says.
 * @throws what the system says of none of them alone, such as a full disk.
 */
export async function removeBeside(
  worktree: string,
): Promise<{ readonly path: string; readonly error: unknown } | undefined> {
  const left = [];
  for (const path of beside(worktree, ['removed', 'copying'])) {
    const error = await removedOrWhy(path);
    if (error !== undefined) left.push({ path, error });
  }
  return left[0];
}

/** Removes the copies that others have left who were killed, not those of somebody who is at work. What resists stays until the worktree goes. */
export async function sweepCopies(worktree: string): Promise<void> {
  for (const path of beside(worktree, ['copying'])) if (!isInUse(path)) await removedOrWhy(path);
}

/** Works in such a folder with copies that are made for a worktree, and removes it. */
export async function withCopies<T>(worktree: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeBeside(worktree, 'copying');
  const lock = tryHold(join(folder, LOCK));
  try {
    return await work(folder);
  } finally {
    await removedOrWhy(folder);
    lock?.release();
  }
}

/** Without a lock it may just be made, or just be removed. */
function isInUse(folder: string): boolean {
  const lock = join(folder, LOCK);
  if (existsSync(lock)) return isHeld(lock) !== false;
  return Date.now() - ifThere(() => statSync(folder).mtimeMs, 0) < MADE_MS;
}

async function removedOrWhy(path: string): Promise<unknown> {
  try {
    await removeTree(path);
    return undefined;
  } catch (error) {
    if (isRefused(error)) return error;
    throw error;
  }
}

function beside(worktree: string, purposes: readonly Purpose[]): string[] {
  const folder = dirname(worktree);
  const begins = purposes.map((purpose) => `${basename(worktree)}~${purpose}`);
  const names = namesIn(folder).filter((name) => begins.some((begin) => name.startsWith(begin)));
  return names.map((name) => join(folder, name));
}
