import { join, relative, sep } from 'node:path';
import { subjectOf } from '../events/envelope.ts';
import type { PlannedTask } from '../events/sprint-events.ts';
import type { Candidate } from '../machines/legality.ts';
import type { SprintState } from '../machines/project-state.ts';
import type { ManifestTask } from './manifest.ts';
import type { Project } from './project.ts';
import { MANIFEST_FILE } from './sprint-folders.ts';
import type { SprintFolder } from './sprint-folders.ts';

/**
 * Brings a sprint's folder into the log: creates its stream, or amends it with tasks the manifest
 * gained since. A task that is already `completed` or `pushed` there enters as done. Nothing new:
 * nothing happens. Returns the sprint's state.
 */
export async function enterSprint(project: Project, { dir, manifest }: SprintFolder): Promise<SprintState> {
  const stream = manifest.id;
  await project.dispatch(stream, (state): Candidate[] => {
    const known = state.streams.get(stream);
    const isNew = known?.manifest === undefined;
    const added = manifest.tasks.filter(({ id }) => !known?.tasks.has(id));
    if (!isNew && added.length === 0) return [];
    const tasks = added.map(planned);
    const entry: Candidate = isNew
      ? {
          type: 'sprint.created',
          subject: stream,
          data: {
            name: manifest.name ?? stream,
            manifest: relative(project.root, join(dir, MANIFEST_FILE)).split(sep).join('/'),
            tasks,
          },
        }
      : { type: 'sprint.amended', subject: stream, data: { tasks } };
    return [entry, ...added.filter(isDone).map(({ id }) => completedBefore(stream, id))];
  });
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error(`sprint ${stream} is missing after it was entered`);
  return sprint;
}

function planned({ id, file, dependsOn }: ManifestTask): PlannedTask {
  return { id, file, ...(dependsOn === undefined ? {} : { dependsOn }) };
}

function isDone({ status }: ManifestTask): boolean {
  return status === 'completed' || status === 'pushed';
}

function completedBefore(stream: string, taskId: string): Candidate {
  return { type: 'task.completed', subject: subjectOf(stream, taskId), data: { by: 'manifest' } };
}
