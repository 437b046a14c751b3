import { relative } from 'node:path';
import { visibleLine } from '../../lib/text/visible.ts';

/** That a file does not say what the log says, for people. `path` is absolute. */
export function behindText(root: string, path: string): string {
  return `${visibleLine(relative(root, path))} does not say what the log says`;
}
