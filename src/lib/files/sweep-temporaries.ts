import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from './folder-watch.ts';

/** A writer that has not finished by now never will, in ms. */
const ABANDONED_MS = 60_000;

const temporaryName = /^(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Removes what writers of `writeAtomically` that were killed left half written in a folder, of the files that are ours. One
 * that may still be at work keeps its own, and what cannot be removed stays.
 *
 * @param abandonedMs - How old it has to be, in ms. Default a minute; 0 for who holds the lock of all writers.
 */
export function sweepTemporaries(
  folder: string,
  isOurs: (name: string) => boolean,
  { abandonedMs = ABANDONED_MS }: { abandonedMs?: number } = {},
): void {
  const old = BigInt(Date.now() - abandonedMs) * 1_000_000n;
  for (const name of namesIn(folder)) {
    const [, target] = temporaryName.exec(name) ?? [];
    if (target === undefined || !isOurs(target)) continue;
    const path = join(folder, name);
    const found = lookAt(path, lstatSync);
    if (found && found.mtimeNs < old) remove(path);
  }
}

/** The names in a folder; none when it is not there or cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // Whoever needs the folder finds out when it writes there, and says so.
    return [];
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone, or not ours to remove: nothing that is read depends on it.
  }
}
