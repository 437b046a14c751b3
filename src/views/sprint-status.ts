import { describeSprint, describeTask, type SprintView, type TaskView } from './describe-sprint.ts';
import { isAlive } from '../lib/processes/process-identity.ts';
import { createSprintState, createTaskState, type SprintState } from '../machines/project-state.ts';
import type { KnownSprint } from '../workflow/sprint/choose-sprint.ts';
import type { Project } from '../workflow/project/project.ts';
import { isRunnerAtWork } from '../workflow/project/runner-lock.ts';
import { isDoneStatus } from '../workflow/sprint/manifest.ts';

/** A task as `clifford status` shows it. */
export type TaskStatus = TaskView & {
  /** The log says that an agent works on it, and there is no such process on this machine. */
  readonly isAgentGone: boolean;
};

/** A sprint as `clifford status` shows it: from the log, and its folder for what the log has not seen. */
export type SprintStatus = Omit<SprintView, 'tasks'> & {
  readonly tasks: readonly TaskStatus[];
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
    const tasks = view.tasks.map((task) => ({ ...task, isAgentGone: isAgentGone(task, sprint) }));
    return { ...view, tasks: [...tasks, ...added], inLog: true, hasRunner };
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

/** A runner that was killed has not said that its agent ended. */
function isAgentGone({ id, agent }: TaskView, sprint: SprintState): boolean {
  const started = sprint.tasks.get(id)?.agent;
  return agent !== undefined && started?.runId === agent.runId && !isAlive(started);
}

function notSeen(id: string, file: string, isDone: boolean): TaskStatus {
  const view = { ...describeTask(createTaskState({ id, file })), isAgentGone: false };
  return isDone ? { ...view, word: 'done', detail: 'completed' } : view;
}
