import { readFileSync } from 'node:fs';

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
  } catch {
    return undefined;
  }
}
