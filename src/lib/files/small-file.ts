import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { isMissing, systemCodeOf } from '../system-error.ts';

/** Longest file that is read, in bytes. */
const MAX_BYTES = 1_048_576;

/** Why a file is not read: `it is a folder`. */
export type Refused = { readonly refused: string };

/**
 * Reads a file that people write by hand, links followed. `undefined`: there is none. What is no regular file,
 * too long or closed to us is refused with the reason; a named pipe, too, without waiting for its writer.
 */
export async function readSmallFile(file: string): Promise<Buffer | Refused | undefined> {
  try {
    return await readBytes(file);
  } catch (error) {
    if (!isMissing(error)) return { refused: `the system says ${systemCodeOf(error)}` };
    return (await isLink(file)) ? { refused: 'it is a link to a file that is missing' } : undefined;
  }
}

async function readBytes(file: string): Promise<Buffer | Refused> {
  // Without O_NONBLOCK, opening a named pipe waits for its writer, and the process with it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (info.isDirectory()) return { refused: 'it is a folder' };
    if (!info.isFile()) return { refused: 'it is not a regular file' };
    if (info.size > MAX_BYTES)
      return { refused: `it may have at most ${MAX_BYTES} bytes (it has ${info.size})` };
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
}
