import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands at each path below a folder: mode and digest of a file, or where a link leads. */
export type Snapshot = Readonly<Record<string, string>>;

/**
 * Digests every file below a folder, links not followed. A path that matches one of `leaveOut` (relative to the
 * folder, with `/`; a folder ends with one) is left out, with all below it.
 */
export async function snapshot(folder: string, leaveOut: readonly RegExp[] = []): Promise<Snapshot> {
  const found: Record<string, string> = {};
  const look = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${below}${entry.name}${entry.isDirectory() ? '/' : ''}`;
      if (leaveOut.some((pattern) => pattern.test(path))) continue;
      if (entry.isDirectory()) await look(path);
      else found[path] = await digest(join(folder, path));
    }
  };
  await look('');
  return found;
}

async function digest(path: string): Promise<string> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return `-> ${await readlink(path)}`;
  const mode = (stats.mode & 0o777).toString(8);
  // A socket or a pipe has no content to read.
  if (!stats.isFile()) return `${mode} special`;
  return `${mode} ${createHash('sha256')
    .update(await readFile(path))
    .digest('hex')}`;
}
