import { join } from 'node:path';
import { CliffordError } from '../../../errors.ts';
import { secretsOf } from '../../../events/secrets/redaction.ts';
import { insideRoot } from '../../../lib/files/inside-root.ts';
import { codeOf } from '../../../lib/system-error.ts';
import { readTaskFile } from '../../../workflow/task/read-task-file.ts';
import { withinProject } from '../../../views/calls/within-project.ts';
import { knownSprint } from '../known-sprint.ts';
import { notFound } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import { taskFilesOf } from '../task-files.ts';
import type { Handlers } from './handlers.ts';

/** So much of a task's file is sent, in bytes: a longer one nobody reads formatted. */
const MOST_BYTES = 100_000;

/** What tasks say. */
export function taskHandlers(serving: Serving): Pick<Handlers, 'task'> {
  const { project, env } = serving;
  const { redactText } = secretsOf(env);
  return {
    task: async ({ params: { id }, query: { task } }) => {
      const { dir, tasks } = taskFilesOf(project, await knownSprint(serving, id));
      const file = tasks.findLast((each) => each.id === task)?.file;
      if (file === undefined) throw notFound(`task ${task} of ${id}`);
      const isOwn = dir !== undefined && (await isInFolder(project.root, dir, file));
      const nameOf = (path: string) => withinProject(project.root, path);
      const text = isOwn ? await readTaskFile(project.root, dir, file, MOST_BYTES, nameOf) : null;
      return { task, file, ...(text === null ? {} : { text: redactText(text) }) };
    },
  };
}

/** Who only reads sees what tasks say, and no other file of the project: a manifest, or a link, may name any. */
async function isInFolder(root: string, dir: string, file: string): Promise<boolean> {
  try {
    await insideRoot(join(root, dir), file);
    return true;
  } catch (error) {
    if (!(error instanceof CliffordError) && codeOf(error) === undefined) throw error;
    return false;
  }
}
