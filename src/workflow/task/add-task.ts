import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { taskIdSchema } from '../../events/field-schemas.ts';
import { nameOf } from '../../machines/status-words.ts';
import { dependencyProblem } from './dependency-problem.ts';
import { enterSprint } from '../sprint/enter-sprint.ts';
import { inFolder, inFolderSync } from '../../lib/files/opened-folder.ts';
import { writeNewFile } from '../../lib/files/plain-file.ts';
import { loadManifest } from '../sprint/manifest.ts';
import type { Project } from '../project/project.ts';
import { whereToWrite } from '../project/where-to-write.ts';
import { JsonFile } from '../projections/json-file.ts';
import { underProjectionLock } from '../projections/projection-lock.ts';
import { MANIFEST_FILE, type SprintFolder } from '../sprint/sprint-folders.ts';
import { taskFilePlace } from './task-file-place.ts';
import { printedWord } from '../../lib/text/shell-word.ts';

/** A task to be added. */
export type NewTask = {
  readonly id: string;
  /** Relative to the sprint's folder, and in it. Made with `text`, unless it is there, and the folders it needs. */
  readonly file: string;
  /** What the agent has to do; `undefined`: the file is there already. */
  readonly text: string | undefined;
  readonly dependsOn: readonly string[];
};

/**
 * Ids that are made here are words that need no quotes in a shell and name a file; a manifest that somebody else writes
 * may have others.
 */
const newTaskIdSchema = taskIdSchema.regex(
  /^(?!.*\.\.)[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u,
  'an id has letters, digits, _, - or . and no blanks',
);

/** A manifest as people have written it: everything else in it stays as it is. */
const editable = z.looseObject({ tasks: z.array(z.unknown()) });

/**
 * Adds a task to a manifest, and its file. A sprint that the log knows gains it there, too: a run that is under way
 * takes it up.
 *
 * @throws {CliffordError} `SPRINT_CANCELLED`, `TASK_EXISTS`, `TASK_FILE_EXISTS`, `TASK_FILE_MISSING`,
 *   `TASK_FILE_MISPLACED`, `OUTSIDE_PROJECT`, `PLACE_RESERVED`; `TASK_INVALID` when its id is none, or it depends on one that is not there.
 */
export async function addTask(
  project: Project,
  { dir, manifest: { id: stream } }: SprintFolder,
  task: NewTask,
) {
  const known = (await project.refresh()).streams.get(stream);
  if (known && nameOf(known.machine.value) === 'done.cancelled') throw cancelled(stream, task.id);
  const path = await whereToWrite(project.root, join(dir, MANIFEST_FILE), 'manifest');
  const file = await taskFilePlace(project.root, dir, task);
  await underProjectionLock({ dir: project.dir, name: 'projections', fix: 'Try again' }, async () => {
    const { tasks } = await loadManifest(path);
    if (tasks.some(({ id }) => id === task.id)) throw taken(stream, task.id);
    const { id, dependsOn } = task;
    const fault = newTaskIdSchema.safeParse(id).error?.issues[0]?.message;
    if (fault !== undefined) throw invalid(stream, id, fault, ID_FIX);
    const unmeetable = dependencyProblem([...tasks, { id, dependsOn }]);
    if (unmeetable !== undefined) throw invalid(stream, id, unmeetable, dependencyFix(tasks));
    const entry = { id, file: task.file, status: 'pending', ...(dependsOn.length > 0 ? { dependsOn } : {}) };
    const { root } = project;
    await inFolder(dirname(path), { root }, async (at) => {
      const json = new JsonFile(at(basename(path)));
      const before = await json.read();
      const after = { ...(before as object), tasks: [...editable.parse(before).tasks, entry] };
      writeTaskFile(root, file, task);
      await json.write(after);
    });
  });
  if (known?.manifest !== undefined) await enterSprint(project, { dir, manifest: await loadManifest(path) });
}

function writeTaskFile(root: string, file: string, { id, text }: NewTask): void {
  if (text === undefined && existsSync(file)) return;
  if (text === undefined) {
    throw new CliffordError(`Cannot add task ${id}: ${file} is missing, and no text was given`, {
      code: 'TASK_FILE_MISSING',
      fix: `Say what is to be done: clifford task add ${printedWord(id)} "…", or - to read it from stdin`,
    });
  }
  if (existsSync(file)) {
    throw new CliffordError(`Cannot write the text of task ${id}: ${file} is there already`, {
      code: 'TASK_FILE_EXISTS',
      fix: 'Leave the text out to take the file as it is, or name another one with --file',
    });
  }
  inFolderSync(dirname(file), { root, makeMode: 0o777 }, (at) =>
    writeNewFile(at(basename(file)), `${text.trimEnd()}\n`, 0o666),
  );
}

function cancelled(stream: string, id: string): CliffordError {
  return new CliffordError(`Cannot add task ${id}: sprint ${stream} was cancelled`, {
    code: 'SPRINT_CANCELLED',
    fix: 'Make a new sprint: clifford sprint new <id>',
  });
}

const ID_FIX =
  'Give a short id, then the text: clifford task add form "Build the form"; clifford status lists the tasks there are';

function dependencyFix(tasks: readonly { readonly id: string }[]): string {
  if (tasks.length === 0) return 'Leave --depends-on out: the sprint has no other task';
  return `Name tasks of the sprint with --depends-on: ${tasks.map(({ id }) => id).join(', ')}`;
}

function invalid(stream: string, id: string, fault: string, fix: string): CliffordError {
  return new CliffordError(`Cannot add task ${JSON.stringify(id)} to sprint ${stream}: ${fault}`, {
    code: 'TASK_INVALID',
    fix,
  });
}

function taken(stream: string, id: string): CliffordError {
  return new CliffordError(`Cannot add task ${id}: sprint ${stream} already has a task with that id`, {
    code: 'TASK_EXISTS',
    fix: 'Choose another id',
  });
}
