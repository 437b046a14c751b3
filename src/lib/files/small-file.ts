import { isLink } from './is-link.ts';
import { NotPlainFileError, readPlainFile } from './plain-file.ts';
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
  return readSmallFileAtOnce(file);
}

/** The same for who cannot wait. */
export function readSmallFileAtOnce(file: string): Buffer | Refused | undefined {
  try {
    return readPlainFile(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof NotPlainFileError) return { refused: error.message };
    if (!isMissing(error)) return { refused: `the system says ${systemCodeOf(error)}` };
    return isLink(file) ? { refused: 'it is a link to a file that is missing' } : undefined;
  }
}
