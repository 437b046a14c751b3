import { basename, dirname, isAbsolute, join } from 'node:path';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';

/**
 * A file of this user's that remembers something about projects, outside of them: `clifford/<name>` below
 * `XDG_STATE_HOME`, else below `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function userStateFile(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const { XDG_STATE_HOME: xdg, HOME: home = '', USERPROFILE: profile = '' } = env;
  const own = home || profile;
  const folder = xdg && isAbsolute(xdg) ? xdg : isAbsolute(own) && join(own, '.local/state');
  return folder ? join(folder, 'clifford', name) : undefined;
}

/**
 * Runs `work`, which reads such a file and replaces it, alone. Its folder is made, and may be a link: it is the user's
 * own, and no agent's project.
 *
 * @throws {CliffordError} `LOCK_BUSY`, `LOCK_INACCESSIBLE`
 */
export async function aloneWithUserState<T>(file: string, work: () => Promise<T>): Promise<T> {
  return withLock(join(realPathToBe(dirname(file)), `${basename(file)}.lock`), work);
}
