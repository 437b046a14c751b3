import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../digest.ts';
import { NotPlainFileError, streamPlainFile } from './plain-file.ts';
import { isMissing, systemCodeOf } from '../system-error.ts';

const { O_RDONLY, O_NOFOLLOW } = constants;

/**
 * Of a larger file only size and time of the last change are looked at, in bytes.
 *
 * @internal for tests
 */
export const MAX_DIGESTED_BYTES = 32 * 1024 * 1024;

/** What {@link fileDigest} says where there is no file. */
export const MISSING = 'missing';

/** What a file is: the same for the same content, executable or not. {@link MISSING} when there is none. */
export async function fileDigest(path: string, signal: AbortSignal): Promise<string> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return `link ${sha256(await readlink(path))}`;
    if (!stats.isFile()) return 'no file';
    const kind = kindOf(stats.mode);
    if (stats.size > MAX_DIGESTED_BYTES) return `${kind} of ${stats.size} bytes at ${stats.mtimeMs}`;
    const hash = createHash('sha256');
    await pipeline(streamPlainFile(path, { flags: O_RDONLY | O_NOFOLLOW, signal }), hash);
    return `${kind} ${hash.digest('base64url')}`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotPlainFileError) return 'no file';
    return isMissing(error) ? MISSING : `unreadable ${systemCodeOf(error)}`;
  }
}

/** What {@link fileDigest} says of a file with this content, up to 32 MiB. */
export function contentDigest(bytes: Uint8Array, mode: number): string {
  return `${kindOf(mode)} ${sha256(bytes)}`;
}

function kindOf(mode: number): string {
  return (mode & 0o100) === 0 ? 'file' : 'program';
}
