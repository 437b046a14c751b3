import { subjectOf } from '../../events/envelope.ts';
import type { PlannedTask } from '../../events/descriptors/sprint-events.ts';
import type { Candidate } from '../../machines/legality.ts';
import { CliffordError } from '../../errors.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import type { ManifestTask } from './manifest.ts';
import { isDoneStatus } from '../../machines/manifest-words.ts';
import type { Project } from '../project/project.ts';
import { manifestPath, type SprintFolder } from './sprint-folders.ts';

/**
 * Brings a sprint's folder into the log: creates its stream, or amends it with tasks the manifest
 * gained since. What is already `completed` or `pushed` there, a task or the whole sprint, enters as
 * done. Nothing new: nothing happens. Returns the sprint's state.
 *
 * @throws {CliffordError} `SPRINT_RENAMED` when the folder is that of a sprint that is under way.
 */
export async function enterSprint(project: Project, { dir, manifest }: SprintFolder): Promise<SprintState> {
  const stream = manifest.id;
  await project.dispatch(stream, (state): Candidate[] => {
    const known = state.streams.get(stream);
    const isNew = known?.manifest === undefined;
    const added = manifest.tasks.filter(({ id }) => !known?.tasks.has(id));
    if (!isNew && added.length === 0) return [];
    const path = manifestPath(project.root, dir);
    if (isNew) refuseRenamed(state, stream, path);
    const tasks = added.map(planned);
    const entry: Candidate = isNew
      ? {
          type: 'sprint.created',
          subject: stream,
          data: { name: manifest.name ?? stream, manifest: path, tasks },
        }
      : { type: 'sprint.amended', subject: stream, data: { tasks } };
    const done = added
      .filter(({ status }) => isDoneStatus(status))
      .map(({ id }) => completedBefore(stream, id));
    const wasDone = isNew || nameOf(known.machine.value) === 'done.completed';
    const isFinished = isDoneStatus(manifest.status) && wasDone && done.length === added.length;
    return [entry, ...done, ...(isFinished ? [sprintCompletedBefore(stream)] : [])];
  });
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error(`sprint ${stream} is missing after it was entered`);
  return sprint;
}

/** Two streams that are under way must not write the statuses of one manifest. */
function refuseRenamed(state: ProjectState, stream: string, path: string): void {
  const other = state.streams
    .loaded()
    .find(
      ({ id, manifest, machine }) => id !== stream && manifest === path && wordOf(machine.value) !== 'done',
    );
  if (!other) return;
  throw new CliffordError(`Cannot enter sprint ${stream}: ${path} is that of sprint ${other.id}, under way`, {
    code: 'SPRINT_RENAMED',
    fix: `Give the manifest its id ${other.id} back, or cancel that sprint first`,
  });
}

function planned({ id, file, dependsOn }: ManifestTask): PlannedTask {
  return { id, file, dependsOn };
}

function completedBefore(stream: string, taskId: string): Candidate {
  return { type: 'task.completed', subject: subjectOf(stream, taskId), data: { by: 'manifest' } };
}

function sprintCompletedBefore(stream: string): Candidate {
  return { type: 'sprint.completed', subject: stream, data: { by: 'manifest' } };
}
