import { basename, dirname, join, sep } from 'node:path';
import { pathFrom } from '../lib/files/path-from.ts';
import { inFolderSync } from '../lib/files/opened-folder.ts';
import type { RequestState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project/project.ts';
import type { ProblemReports } from './problem-reports.ts';
import { systemCodeOf } from '../lib/system-error.ts';
import type { SignalReader } from './signal-reader.ts';

/** What those who serve the files work with. */
export type SignalDeps = {
  readonly project: Project;
  readonly reader: SignalReader;
  readonly problems: ProblemReports;
};

/** A file as people and the log name it: relative to the project, with `/`. */
export function labelOf({ project }: SignalDeps, path: string): string {
  return pathFrom(project.root, path);
}

/** The path of a file that was named by its label. */
export function pathOf({ project }: SignalDeps, label: string): string {
  return join(project.root, label);
}

/**
 * Changes a file. A file system that refuses (a folder that is read-only, a full disk) is complained
 * about once, and the work goes on without it.
 *
 * @returns `undefined` when it was refused.
 */
export function tryToChange<T>(deps: SignalDeps, path: string, what: string, change: () => T): T | undefined {
  try {
    const result = change();
    deps.problems.forget(path);
    return result;
  } catch (error) {
    const code = systemCodeOf(error);
    // It is gone, or its folder: the next look sees what is there now.
    if (code === 'ENOENT') return undefined;
    deps.problems.tell(path, `Cannot ${what} ${labelOf(deps, path)}: ${code}. The sprint goes on without it`);
    return undefined;
  }
}

/** The same for one file, in the folder where it was found: a link may have taken that one's place since. */
export function changeFile<T>(
  deps: SignalDeps,
  path: string,
  what: string,
  change: (path: string) => T,
): T | undefined {
  return tryToChange(deps, path, what, () => inOwnFolder(deps, path, change));
}

/** Changes a file in the folder where it was found. @throws {CliffordError} `FOLDER_LINKED`, and the errors of the system. */
export function inOwnFolder<T>(
  { project: { root, dir } }: SignalDeps,
  path: string,
  change: (path: string) => T,
): T {
  const base = path.startsWith(join(dir, sep)) ? dir : root;
  return inFolderSync(dirname(path), { root: base }, (at) => change(at(basename(path))));
}

/** No file can show a question, such as one that is too long: it is asked everywhere else. */
export function tellUnshown(deps: SignalDeps, path: string, { id }: Pick<RequestState, 'id'>): void {
  const where = labelOf(deps, dirname(path));
  deps.problems.tell(
    id,
    `${id} cannot be shown by a file in ${where}: answer it with clifford answer, or on the screen`,
  );
}
