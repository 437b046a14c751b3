import { subjectOf } from '../../events/envelope.ts';
import { CliffordError } from '../../errors.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { Candidate } from '../../machines/legality.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Project } from '../project/project.ts';
import { tryUndoUnfinishedLanding } from '../landing/unfinished-landing.ts';
import { requireTask } from '../task/require-task.ts';
import { printedWord } from '../../lib/text/shell-word.ts';

/** A human's decision about a sprint or one of its tasks. `by` names the human. */
type Control = { readonly stream: string; readonly by: string };
type TaskControl = Control & { readonly taskId: string };

/** Starts no further attempt until it is resumed. Agents that work go on. */
export async function pauseSprint(project: Project, { stream, by }: Control): Promise<void> {
  await project.dispatch(stream, () => [{ type: 'sprint.paused', subject: stream, data: { by } }]);
}

/** Lets attempts start again. */
export async function resumeSprint(project: Project, { stream, by }: Control): Promise<void> {
  await project.dispatch(stream, () => [{ type: 'sprint.resumed', subject: stream, data: { by } }]);
}

/**
 * Ends a sprint for good, with all its tasks and open requests.
 *
 * @returns that an unfinished landing is left, and why it could not be undone. It ended all the same: whoever runs a sprint in the
 *   project tries again.
 */
export async function cancelSprint(
  project: Project,
  { stream, by, reason }: Control & { reason?: string | undefined },
): Promise<string | undefined> {
  await project.dispatch(stream, () => [
    { type: 'sprint.cancelled', subject: stream, data: { by, ...because(reason) } },
  ]);
  // Nobody may come to run the sprint again.
  return tryUndoUnfinishedLanding(project);
}

/**
 * Makes a failed, skipped or cancelled task pending again; without `taskId` all that failed.
 *
 * @returns the ids of the tasks.
 * @throws {CliffordError} `NOTHING_FAILED` when no task was named and none has failed.
 */
export async function retryTasks(
  project: Project,
  {
    stream,
    by,
    taskId,
    reason = 'retry',
  }: Control & { taskId?: string | undefined; reason?: string | undefined },
): Promise<string[]> {
  let ids: string[] = [];
  await project.dispatch(stream, (state): Candidate[] => {
    const tasks = [...(state.streams.get(stream)?.tasks.values() ?? [])];
    const failed = tasks.filter(({ machine }) => nameOf(machine.value) === 'done.failed');
    ids =
      taskId === undefined ? failed.map(({ id }) => id) : [requireTask(state, { stream, taskId }).task.id];
    if (ids.length === 0) throw nothingFailed(state.streams.get(stream), stream);
    return ids.map((id) => ({ type: 'task.reset', subject: subjectOf(stream, id), data: { by, reason } }));
  });
  return ids;
}

/** Takes a task out of the sprint as done without doing it. @returns as {@link cancelSprint}. */
export async function skipTask(
  project: Project,
  control: TaskControl & { reason?: string | undefined },
): Promise<string | undefined> {
  return endTask(project, 'task.skipped', control);
}

/** Ends one task for good. @returns as {@link cancelSprint}. */
export async function cancelTask(
  project: Project,
  control: TaskControl & { reason?: string | undefined },
): Promise<string | undefined> {
  return endTask(project, 'task.cancelled', control);
}

async function endTask(
  project: Project,
  type: 'task.skipped' | 'task.cancelled',
  { stream, taskId, by, reason }: TaskControl & { reason?: string | undefined },
): Promise<string | undefined> {
  await project.dispatch(stream, (state) => {
    const { task } = requireTask(state, { stream, taskId });
    return [{ type, subject: subjectOf(stream, task.id), data: { by, ...because(reason) } }];
  });
  return tryUndoUnfinishedLanding(project);
}

function because(reason: string | undefined): { reason?: string | undefined } {
  return reason === undefined ? {} : { reason };
}

function nothingFailed(sprint: SprintState | undefined, stream: string): CliffordError {
  const state = sprint && nameOf(sprint.machine.value);
  const isOver = state === 'done.cancelled';
  const why = isOver ? 'it is cancelled' : 'none of its tasks has failed';
  return new CliffordError(`Cannot retry sprint ${stream}: ${why}`, {
    code: 'NOTHING_FAILED',
    fix: isOver ? 'It is over: nothing can be decided about it any more' : retryable(sprint, stream),
    recovery: 'give-up',
  });
}

/** What else there is to do again. */
function retryable(sprint: SprintState | undefined, stream: string): string {
  const aside = [...(sprint?.tasks.values() ?? [])].filter(({ setAside }) => setAside !== undefined);
  const [first] = sprint && nameOf(sprint.machine.value) === 'done.completed' ? [] : aside;
  return first
    ? `Skipped and cancelled ones can be done again by name, e.g. clifford retry ${printedWord(first.id)} --sprint ${stream}`
    : `Nothing of it can be done again. See where it stands with: clifford status ${stream}`;
}
