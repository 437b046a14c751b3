import { relative, sep } from 'node:path';

/** A path as it is from a folder on, with `/` on every system. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
