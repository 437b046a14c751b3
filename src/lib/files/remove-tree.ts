import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { codeOf, isRefused } from '../system-error.ts';
import { ifThere } from './if-there.ts';
import { inFolderSync } from './opened-folder.ts';

/** What an agent left behind may still write there. */
const whole = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Removes a file or a folder with all that is in it, also where folders in it are read-only, as package managers make them: what is in a
 * folder can be removed by who may write to that. A folder that cannot be looked into stays, and what is in it, as nobody here knows it.
 *
 * @param path - Absolute. Nothing happens where nothing is. No link is followed.
 * @throws the system's error when it cannot be removed; some of it may be.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await remove(path);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await openUp(path);
    await remove(path);
  }
}

/** Where the system refuses to remove a file (a sticky folder, one that is immutable), Node looks into it as into a folder, and says what came of that. */
async function remove(path: string): Promise<void> {
  try {
    await rm(path, whole);
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    const file = error instanceof Error && 'path' in error ? String(error.path) : path;
    // Not where a file stands in place of a folder above it.
    if (ifThere(() => lstatSync(file).isDirectory(), true)) throw error;
    const refusal = new Error(`EPERM: operation not permitted, unlink '${file}'`, { cause: error });
    throw Object.assign(refusal, { code: 'EPERM', path: file });
  }
}

/** Lets its owner write to a folder and to those in it, which he can read. There may be many: others have their turn behind each. */
async function openUp(folder: string): Promise<void> {
  let folders: string[];
  try {
    folders = inFolderSync(folder, { root: dirname(folder) }, (at) => {
      chmodSync(at('.'), statSync(at('.')).mode | 0o300);
      const found = readdirSync(at('.'), { withFileTypes: true });
      return found.filter((each) => each.isDirectory()).map(({ name }) => name);
    });
  } catch {
    // Not his, no folder or a link by now: what keeps it, is said by the next try to remove it.
    return;
  }
  for (const name of folders) {
    await turn();
    await openUp(join(folder, name));
  }
}
