import { createWriteStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliffordError } from '../../errors.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { realPath, realPathToBe } from '../../lib/files/real-path.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { isMissing, systemCodeOf } from '../../lib/system-error.ts';

/** Names the standard output in place of a file. */
export const STDOUT = '-';

/**
 * Writes what a command makes into a file, for its user alone (mode 0600), in one rename: what was there stays until all of it is written, and
 * whatever else has the same content, as another name of it, keeps that. A pipe or a device is written as it is.
 *
 * @param file - Absolute.
 * @param options.own - Clifford's folder in the project: what is in it may be what is read.
 * @param options.isNamed - Somebody has named the file: where it is a link, what that leads to is meant, and it is not in that folder.
 *   Otherwise it is a place of ours, and what stands there is replaced.
 * @throws {CliffordError} `OUTPUT_INACCESSIBLE` when it cannot be written, or somebody names a file in that folder.
 */
export async function writeOutput(
  file: string,
  parts: Iterable<string>,
  { own, isNamed }: { readonly own: string; readonly isNamed: boolean },
): Promise<void> {
  try {
    if (isNamed && isStream(file)) return await pipeline(Readable.from(parts), createWriteStream(file));
    if (!isNamed) return await writeAtomically(file, parts);
    const target = realPathToBe(file);
    refuseOwn(file, target, own);
    await writeAtomically(target, parts);
  } catch (cause) {
    if (cause instanceof CliffordError) throw cause;
    const why = isMissing(cause)
      ? `there is no folder ${dirname(file)}`
      : `the system says ${systemCodeOf(cause)}`;
    throw unwritable(file, why, cause);
  }
}

/** Whether it leads to no plain file, or to one that another program has open for it. */
function isStream(file: string): boolean {
  if (/^\/(?:dev|proc)\//.test(file)) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function refuseOwn(file: string, target: string, own: string): void {
  const folder = realPath(own) ?? own;
  if ([file, target].some((each) => isInside(folder, realPath(dirname(each)) ?? dirname(each))))
    throw unwritable(file, 'Clifford keeps its own files in that folder');
}

function unwritable(file: string, reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot write ${file}: ${reason}`, {
    code: 'OUTPUT_INACCESSIBLE',
    fix: 'Name a file that can be written with --output',
    cause,
  });
}
