import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { syncFolder } from './sync-folder.ts';

/**
 * Replaces a file in one rename: a reader sees the old content or the new one, never a part.
 *
 * The temporary file has a name of its own, so that several processes can write the same file. Its folder is there
 * already: whoever makes it knows whether it may be a link. Makes the file with `mode` (default 0600: state is the
 * user's own), of which the umask takes away; with `exactMode`, that of the file before, it has no say.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  { mode = 0o600, exactMode }: { mode?: number; exactMode?: number } = {},
): Promise<void> {
  const temporary = temporaryOf(path);
  try {
    await writeFile(temporary, content, { mode: exactMode ?? mode });
    if (exactMode !== undefined) await chmod(temporary, exactMode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same at once, mode 0600, in a folder that is there. With `isDurable` a power cut does not take it back. */
export function writeAtomicallySync(path: string, content: string, { isDurable = false } = {}): void {
  const temporary = temporaryOf(path);
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: isDurable });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(dirname(path));
}

function temporaryOf(path: string): string {
  return `${path}.${uuidv7()}.tmp`;
}
