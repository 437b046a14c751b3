import { relative } from 'node:path';
import { listed } from '../../lib/text/listed.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** That files do not say what the log says, for people. `paths` are absolute. */
export function behindText(root: string, ...paths: readonly string[]): string {
  const verb = paths.length === 1 ? 'does' : 'do';
  return `${listed(paths.map((path) => visibleLine(relative(root, path))))} ${verb} not say what the log says`;
}

/** The same, and what brings them up to date. */
export function behindNote(root: string, paths: readonly string[]): string {
  return `${behindText(root, ...paths)}: the next decision here about the sprint writes it; what a worker has made of it comes with the branch that it pushed`;
}
