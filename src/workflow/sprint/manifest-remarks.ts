import { join } from 'node:path';
import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { CliffordError } from '../../errors.ts';
import { exists } from '../../lib/files/exists.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { pathFrom } from '../../lib/files/path-from.ts';
import { keyText } from '../config/config-keys.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { whereToWrite } from '../project/where-to-write.ts';
import { isDoneStatus } from '../../machines/manifest-words.ts';
import { manifestKeys, taskEntryKeys, type Manifest } from './manifest.ts';
import { MANIFEST_FILE, manifestPath, type SprintFolder } from './sprint-folders.ts';

/**
 * What may be a mistake in a manifest that can be read, a line each: keys that mean nothing to Clifford, task files
 * that are missing, tasks that were taken out. Looks for one file per task that is not done.
 *
 * @param sprint - What the log knows of it.
 */
export async function manifestRemarks(
  root: string,
  { dir, manifest }: SprintFolder,
  sprint: SprintState | undefined,
): Promise<string[]> {
  const file = manifestPath(root, dir);
  const isOutside = await leadsOut(root, join(dir, MANIFEST_FILE));
  return [
    ...(isOutside
      ? [
          `${file} leads out of the project, or to a place where Clifford writes nothing: statuses are not written to it`,
        ]
      : []),
    ...unknownKeys(manifest).map((text) => `${file}: ${text}`),
    ...(await unusableFiles(root, dir, manifest)).map((text) => `${file}: ${text}`),
    ...removedTasks(manifest, sprint).map((id) => `${file} has no task ${id} any more: it will be skipped`),
  ];
}

async function leadsOut(root: string, file: string): Promise<boolean> {
  try {
    await whereToWrite(root, file, 'manifest');
    return false;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return true;
  }
}

/** Other programs may have keys of their own there, so they are named in one line. */
function unknownKeys(manifest: Manifest): string[] {
  const found = [
    ...strangers(manifest, manifestKeys, []),
    ...manifest.tasks.flatMap((task, index) => strangers(task, taskEntryKeys, ['tasks', index])),
  ];
  return found.length === 0 ? [] : [`unknown ${found.length === 1 ? 'key' : 'keys'} ${found.join(', ')}`];
}

function strangers(entry: object, known: readonly string[], at: readonly (string | number)[]): string[] {
  const keys = Object.keys(entry).filter((key) => !known.includes(key));
  return keys.map((key) => `${keyText([...at, key])}${didYouMean(key, known).replace(/^; (.+)$/, ' ($1)')}`);
}

/** Task files that no agent gets the text of. */
async function unusableFiles(root: string, dir: string, { tasks }: Manifest): Promise<string[]> {
  const left = tasks.filter(({ status }) => !isDoneStatus(status));
  const found = await Promise.all(
    left.map(async ({ id, file }) => {
      const problem = await fileProblem(root, { dir, file });
      return problem === undefined ? [] : [`task ${id}: ${problem}`];
    }),
  );
  return found.flat();
}

/** Names the file from the project's root; one that leads out of it, as the manifest does. */
async function fileProblem(
  root: string,
  { dir, file }: { readonly dir: string; readonly file: string },
): Promise<string | undefined> {
  const path = join(dir, file);
  try {
    return (await exists(await insideRoot(root, path))) ? undefined : `${pathFrom(root, path)} is missing`;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return error.code === 'OUTSIDE_PROJECT'
      ? `${file} leads out of the project: its agent gets no text of it`
      : `${pathFrom(root, path)} cannot be read`;
  }
}

/** Tasks that the log has and the manifest has not, and that are not done. */
export function removedTasks(manifest: Manifest, sprint: SprintState | undefined): string[] {
  const ids = new Set(manifest.tasks.map(({ id }) => id));
  const isOver = /^done\.(?!failed)/;
  return [...(sprint?.tasks.values() ?? [])]
    .filter(({ id, machine }) => !ids.has(id) && !isOver.test(nameOf(machine.value)))
    .map(({ id }) => id);
}
