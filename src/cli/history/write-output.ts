import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliffordError } from '../../errors.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { isMissing, systemCodeOf } from '../../lib/system-error.ts';

/**
 * Writes what a command makes into a file that a person has named, for them alone (mode 0600).
 *
 * @param file - Absolute.
 * @param own - Clifford's folder in the project: what is in it may be what is read.
 * @throws {CliffordError} `OUTPUT_INACCESSIBLE` when it cannot be written, or is in that folder.
 */
export async function writeOutput(file: string, parts: Iterable<string>, own: string): Promise<void> {
  const [folder, target] = [realPath(own) ?? own, realPath(file) ?? file];
  // Where nothing is yet: that it cannot be made is said when it is written.
  if ([file, target].some((each) => isInside(folder, realPath(dirname(each)) ?? dirname(each))))
    throw unwritable(file, 'Clifford keeps its own files in that folder');
  try {
    await pipeline(Readable.from(parts), createWriteStream(file, { mode: 0o600 }));
  } catch (cause) {
    const why = isMissing(cause)
      ? `there is no folder ${dirname(file)}`
      : `the system says ${systemCodeOf(cause)}`;
    throw unwritable(file, why, cause);
  }
}

function unwritable(file: string, reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot write ${file}: ${reason}`, {
    code: 'OUTPUT_INACCESSIBLE',
    fix: 'Name a file that can be written with --output',
    cause,
  });
}
