import { join } from 'node:path';
import { subjectOf } from '../../events/envelope.ts';
import { CliffordError } from '../../errors.ts';
import { loadManifest, type Manifest } from './manifest.ts';
import { removedTasks } from './manifest-remarks.ts';
import type { Project } from '../project/project.ts';
import { MANIFEST_FILE, manifestPath, type SprintFolder } from './sprint-folders.ts';

/** Who took a task out, in the log. */
const BY = 'manifest';

/**
 * Skips the tasks of a sprint that its manifest has no more: they are not to be run, and nothing waits for them. One
 * that an attempt works on is left until that has ended. A manifest that cannot be read just now says nothing.
 *
 * @returns whether there was one.
 */
export async function skipRemovedTasks(
  project: Project,
  { dir, manifest: { id: stream } }: SprintFolder,
): Promise<boolean> {
  const known = [...((await project.refresh()).streams.get(stream)?.tasks.keys() ?? [])];
  // Read after the log: a task that is there was in the manifest before.
  const manifest = await manifestNow(join(dir, MANIFEST_FILE));
  if (manifest?.id !== stream) return false;
  const path = manifestPath(project.root, dir);
  const data = { by: BY, reason: `${path} no longer has it` };
  const skipped = await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const ids = removedTasks(manifest, sprint).filter((id) => known.includes(id));
    return ids
      .filter((id) => sprint?.tasks.get(id)?.machine.context.runId === null)
      .map((id) => ({ type: 'task.skipped', subject: subjectOf(stream, id), data }));
  });
  return skipped.length > 0;
}

async function manifestNow(path: string): Promise<Manifest | undefined> {
  try {
    return await loadManifest(path);
  } catch (error) {
    if (error instanceof CliffordError) return undefined;
    throw error;
  }
}
