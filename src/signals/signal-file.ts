import { lstatSync } from 'node:fs';
import { lookAt } from '../lib/files/folder-watch.ts';
import { NotPlainFileError, readOwnFile } from '../lib/files/plain-file.ts';
import { isMissing, systemCodeOf } from '../lib/system-error.ts';

/** A larger file is refused without being read, in bytes. */
export const MAX_BYTES = 1_048_576;

/** Which version of which file: another one has another key. */
export type Stamp = {
  readonly key: string;
  readonly mtimeNs: bigint;
  /** When anything about it changed, its name too. Nobody can set that clock back. */
  readonly ctimeNs: bigint;
};

/** Which version of a file lies there; `undefined` when there is none, or none that can be looked at. */
export function stampOf(path: string): Stamp | undefined {
  const found = lookAt(path, lstatSync);
  if (!found) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { key: `${dev}:${ino}:${size}:${mtimeNs}`, mtimeNs, ctimeNs };
}

/**
 * Reads a file that may be anything. Links are not followed, nothing but plain files is opened, and
 * nothing large is read: then there is a reason. `undefined`: there is nothing.
 */
export function readSignal(path: string): Buffer | { readonly reason: string } | undefined {
  try {
    return readOwnFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    const reason = whyUnusable(error);
    return reason === undefined ? undefined : { reason };
  }
}

/** `undefined`: it is gone. */
function whyUnusable(error: unknown): string | undefined {
  if (error instanceof NotPlainFileError) return error.message;
  if (isMissing(error)) return undefined;
  const code = systemCodeOf(error);
  return code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`;
}
