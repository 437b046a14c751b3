import { existsSync, fstatSync, readlinkSync, statSync } from 'node:fs';
import { realPath } from './real-path.ts';

/**
 * Where a file or a folder is that was opened by `path`, links followed, whatever that path names by now. `undefined`:
 * it is no longer anywhere, or nobody can tell.
 */
export function placeOfOpened(fd: number, path: string): string | undefined {
  const own = `/proc/self/fd/${fd}`;
  const place = existsSync('/proc/self/fd') ? readlinkSync(own) : realPath(path);
  if (place === undefined) return undefined;
  // Of what was removed Linux says the path with a remark behind it.
  const there = statSync(place, { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return there?.dev === dev && there.ino === ino ? place : undefined;
}
