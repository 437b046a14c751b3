import { readFileSync } from 'node:fs';
import { machineTrouble } from '../system-error.ts';

/**
 * A file of `/proc` about a process, whole. `undefined` when the process is gone, another user's, or there is no `/proc`.
 * About 20 µs.
 */
export function readProcFile(
  pid: number,
  file: 'comm' | 'stat' | 'environ' | 'limits' | 'status' | `fdinfo/${string}`,
): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    countFailed(error);
    return undefined;
  }
}

/** Counts a read of `/proc` among those that {@link failedReads} tells of, where it failed for want of something. */
export function countFailed(error: unknown): void {
  if (machineTrouble(error) !== undefined) failed += 1;
}

/**
 * How often something in `/proc` could not be read for want of something, such as open files: what was found out of a process between two
 * numbers that differ may be wrong.
 */
export function failedReads(): number {
  return failed;
}

let failed = 0;
