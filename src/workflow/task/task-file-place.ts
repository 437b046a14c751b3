import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { isInside } from '../../lib/files/inside-root.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { codeOf } from '../../lib/system-error.ts';
import { whereToWrite } from '../project/where-to-write.ts';

/**
 * Where the file of a task that is added is, or is to be: in the sprint's folder, or a folder in that one, links followed.
 * Writes nothing.
 *
 * @param file - As it was typed, from the sprint's folder.
 * @returns the absolute path.
 * @throws {CliffordError} `TASK_FILE_MISPLACED`, which names what was typed; as {@link whereToWrite}.
 */
export async function taskFilePlace(
  root: string,
  dir: string,
  { id, file }: { readonly id: string; readonly file: string },
): Promise<string> {
  const problem = problemOf(dir, file);
  if (problem === undefined) return whereToWrite(root, join(dir, file), 'sprint file');
  throw new CliffordError(
    `Cannot add task ${JSON.stringify(id)}: its file ${JSON.stringify(file)} ${problem}`,
    {
      code: 'TASK_FILE_MISPLACED',
      fix: `Name a file from the sprint's folder: --file ${nameIn(file) ?? 'tasks/form.md'}`,
    },
  );
}

function problemOf(dir: string, file: string): string | undefined {
  if (isAbsolute(file)) return "is an absolute path, and a task's file is in the sprint's folder";
  if (nameIn(file) === undefined) return 'is no name of a file';
  const path = join(dir, file);
  if (!isInside(dir, path)) return "is not in the sprint's folder";
  try {
    if (leadsOut(dir, dirname(path))) return "leads out of the sprint's folder by a link";
    return kindProblem(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return `cannot be used: the system says ${code}`;
  }
}

function leadsOut(dir: string, folder: string): boolean {
  return folder !== dir && !isInside(realPathToBe(dir), realPathToBe(folder));
}

/** What is wrong with what is there already, or in the place of a folder on the way to it. */
function kindProblem(path: string): string | undefined {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there) return there.isDirectory() ? 'is a folder' : undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found) return found.isDirectory() ? undefined : `needs a folder where ${basename(folder)} is a file`;
  }
}

/** The file's own name; `undefined` where the path ends with none, or is `-`, which is stdin. */
function nameIn(file: string): string | undefined {
  const name = basename(file);
  return file === '-' || file.endsWith('/') || file.endsWith(sep) || ['', '.', '..'].includes(name)
    ? undefined
    : name;
}
