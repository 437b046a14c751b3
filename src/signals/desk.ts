import { join, relative, sep } from 'node:path';
import type { Project } from '../workflow/project.ts';
import type { Complaints } from './complaints.ts';
import { systemCodeOf } from '../system-error.ts';
import type { SignalReader } from './signal-reader.ts';

/** What those who serve the files work with. */
export type Desk = {
  readonly project: Project;
  readonly reader: SignalReader;
  readonly complaints: Complaints;
};

/** A file as people and the log name it: relative to the project, with `/`. */
export function labelOf({ project }: Desk, path: string): string {
  return relative(project.root, path).split(sep).join('/');
}

/** The path of a file that was named by its label. */
export function pathOf({ project }: Desk, label: string): string {
  return join(project.root, label);
}

/**
 * Changes a file. A file system that refuses (a folder that is read-only, a full disk) is complained
 * about once, and the work goes on without it.
 *
 * @returns `undefined` when it was refused.
 */
export function tryToChange<T>(desk: Desk, path: string, what: string, change: () => T): T | undefined {
  try {
    const result = change();
    desk.complaints.forget(path);
    return result;
  } catch (error) {
    const code = systemCodeOf(error);
    // It is gone, or its folder: the next look sees what is there now.
    if (code === 'ENOENT') return undefined;
    desk.complaints.tell(
      path,
      `Cannot ${what} ${labelOf(desk, path)}: ${code}. The sprint goes on without it`,
    );
    return undefined;
  }
}
