import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import type { Project } from '../project/project.ts';
import { currentEdits } from '../temporary-edits/current-edits.ts';
import { undoUnfinishedLanding } from '../landing/unfinished-landing.ts';
import { Git, type GitPlace } from '../git/git.ts';
import { takeSnapshot, WorkTreeSnapshots, type WorkTreeSnapshot } from './snapshot.ts';
import { uncommittedReason } from '../git/uncommitted.ts';

/** Whose work begins. */
export type WorkBegun = Pick<GitPlace, 'env' | 'signal'> & {
  readonly stream: string;
  readonly taskId: string;
};

/**
 * Notes how the files of a project are before the work on a task begins in them, as
 * {@link takeSnapshot} does it. An unfinished landing is undone first.
 */
export async function noteFiles(
  project: Pick<Project, 'root' | 'dir'>,
  { stream, ...begun }: WorkBegun,
): Promise<void> {
  makeOwnFolder(project.dir);
  const snapshots = new WorkTreeSnapshots(project.dir, stream);
  await snapshots.write(await filesBefore(project, begun));
}

async function filesBefore(
  project: Pick<Project, 'root' | 'dir'>,
  { taskId: task, env, signal }: Omit<WorkBegun, 'stream'>,
): Promise<WorkTreeSnapshot> {
  const place = { cwd: project.root, env, signal };
  try {
    await undoUnfinishedLanding(place, project.dir);
  } catch (error) {
    return { task, problem: uncommittedReason(error), files: [] };
  }
  const files = { root: project.root, signal, currentEdits: () => currentEdits(project), task };
  return takeSnapshot(new Git(place), files);
}
