import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { projectionFiles, type ProjectionFile, type ProjectPlace } from './projection-files.ts';
import { underProjectionLock } from './projection-lock.ts';
import { unwritable } from './unwritable.ts';

/** How long somebody who writes them may take, in ms. */
const LOCK_WAIT_MS = 500;

/**
 * The files of these streams that do not say what the log says, by path: one could not be written, or was
 * changed by hand. Reads only.
 *
 * @param project - `refresh` folds what was appended meanwhile.
 */
export async function filesBehindLog(
  project: ProjectPlace & { readonly state: ProjectState; readonly refresh: () => Promise<ProjectState> },
  streams: readonly string[],
): Promise<readonly string[]> {
  if ((await behind(project, project.state, streams)).length === 0) return [];
  // Somebody may be about to write them: with the lock nobody is.
  const { dir } = project;
  try {
    return await underProjectionLock({ dir, name: 'projections', waitMs: LOCK_WAIT_MS }, async () =>
      behind(project, await project.refresh(), streams),
    );
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'PROJECTION_UNWRITABLE') throw error;
    return behind(project, await project.refresh(), streams);
  }
}

async function behind(
  place: ProjectPlace,
  state: ProjectState,
  streams: readonly string[],
): Promise<readonly string[]> {
  const files = streams.flatMap((stream) => projectionFiles(place, state, stream));
  const checked = await Promise.all(files.map(async (file) => ((await isSaid(file)) ? [] : [file.path])));
  return [...new Set(checked.flat())];
}

/** A file that cannot be read does not say it. */
async function isSaid({ path, isUpToDate }: ProjectionFile): Promise<boolean> {
  try {
    return await isUpToDate();
  } catch (cause) {
    unwritable(path, cause);
    return false;
  }
}
