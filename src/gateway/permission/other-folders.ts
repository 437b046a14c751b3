import { resolve } from 'node:path';

/**
 * Where a call may be made besides, absolute, that names several folders: in each of them, or in that of its session. Only its
 * agent knows which counts. None: they are all the same.
 *
 * @param cwd - The one that it is judged in first, absolute.
 * @param named - The others, as it says them.
 */
export function otherFolders(cwd: string, named: readonly string[], session: string): readonly string[] {
  const all = named.map((each) => resolve(session, each));
  if (all.every((each) => each === cwd)) return [];
  return [...new Set([...all, session])].filter((each) => each !== cwd);
}
