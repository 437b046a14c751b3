import { describeSprint, describeTask, type SprintView, type TaskView } from './describe-sprint.ts';
import { createSprintState, createTaskState } from '../machines/project-state.ts';
import type { KnownSprint } from '../workflow/sprint/choose-sprint.ts';
import type { Project } from '../workflow/project/project.ts';
import { isRunnerAtWork } from '../workflow/project/runner-lock.ts';
import { isDoneStatus } from '../workflow/sprint/manifest.ts';

/** A sprint as `clifford status` shows it: from the log, and its folder for what the log has not seen. */
export type SprintStatus = SprintView & {
  readonly inLog: boolean;
  /** A runner on this machine is at work on it. */
  readonly hasRunner: boolean;
};

/** What is known of a sprint. Tasks of the manifest that are not in the log yet are pending, or done there. */
export function statusOf(
  { id, folder }: KnownSprint,
  { dir, state: { streams, limits } }: Pick<Project, 'dir' | 'state'>,
): SprintStatus {
  const hasRunner = isRunnerAtWork(dir, id);
  const sprint = streams.get(id);
  const planned = (folder?.manifest.tasks ?? []).filter((task) => !sprint?.tasks.has(task.id));
  const added = planned.map(({ id: taskId, file, status }) => notSeen(taskId, file, isDoneStatus(status)));
  if (sprint?.manifest !== undefined || (sprint && !folder)) {
    const view = describeSprint(sprint, limits);
    return { ...view, tasks: [...view.tasks, ...added], inLog: true, hasRunner };
  }
  const isDone = isDoneStatus(folder?.manifest.status ?? 'pending');
  return {
    ...describeSprint(createSprintState(id)),
    name: folder?.manifest.name ?? id,
    word: isDone ? 'done' : 'pending',
    tasks: added,
    inLog: false,
    hasRunner,
  };
}

function notSeen(id: string, file: string, isDone: boolean): TaskView {
  const view = describeTask(createTaskState({ id, file }));
  return isDone ? { ...view, word: 'done', detail: 'completed' } : view;
}
