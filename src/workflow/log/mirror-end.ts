import { closeSync } from 'node:fs';
import { openForReading } from '../../events/jsonl/read-log.ts';
import { endOfAppends, sizeOf } from '../../events/jsonl/tail.ts';
import { bytesBetween } from '../../events/jsonl/windows.ts';
import { sha256 } from '../../lib/digest.ts';
import { logFile } from '../project/project-log.ts';
import type { MirrorMark } from './mirror-mark.ts';

/** How far a mirror goes: where its last whole append ends, and the digest of what stands before that. */
type MirrorEnd = { readonly bytes: number; readonly digest: string };

/** So many bytes before the end are looked at. Where power fails, a file may keep its length, and have zeros there. */
const LAST_BYTES = 65_536;

/** Where the mirror ends that is there now. `dir`: the `.clifford` of the project. @throws {CliffordError} `LOG_INACCESSIBLE` */
export function mirrorEnd(dir: string): MirrorEnd {
  return read(dir, (fd) => {
    const bytes = fd === undefined ? 0 : endOfAppends(fd, sizeOf(fd));
    return { bytes, digest: digestBefore(fd, bytes) };
  });
}

/** Whether the mirror still has all that it had when it ended there. It may go on behind that. @throws {CliffordError} `LOG_INACCESSIBLE` */
export function reachesEnd(dir: string, { bytes, digest }: Pick<MirrorMark, 'bytes' | 'digest'>): boolean {
  return bytes !== undefined && read(dir, (fd) => digestBefore(fd, bytes)) === digest;
}

function digestBefore(fd: number | undefined, end: number): string {
  return sha256(fd === undefined ? '' : bytesBetween(fd, Math.max(0, end - LAST_BYTES), end));
}

function read<T>(dir: string, look: (fd: number | undefined) => T): T {
  const fd = openForReading(logFile(dir));
  try {
    return look(fd);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
