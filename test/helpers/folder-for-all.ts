import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';

/** A folder for temporary files that every user can enter: that of `TMPDIR` may be its owner's alone. */
export async function folderForAll(): Promise<string> {
  const folders = [tmpdir(), '/tmp', '/var/tmp'].map((folder) => resolve(folder));
  for (const folder of folders) if (await canBeEntered(folder)) return folder;
  throw new Error(`Cannot find a folder that every user can enter among ${folders.join(', ')}`);
}

/** Whether users who own nothing can get there from the root. */
async function canBeEntered(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  const above = dirname(folder);
  return (mode & 0o001) !== 0 && (above === folder || canBeEntered(above));
}
