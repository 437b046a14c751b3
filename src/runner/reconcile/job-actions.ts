import type { SprintState, TaskState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { isDoneUnverified } from './exit-verdict.ts';
import { hasFailedFast } from './sprint-reasons.ts';
import type { Action, JobView, RunnerView } from './runner-view.ts';

/** Records what jobs have to say. `undefined`: nothing. */
export function hearJobs({ jobs }: RunnerView): readonly Action[] | undefined {
  const news = jobs.filter(({ phase, hasFacts }) => hasFacts || phase === 'ended');
  return someOf(news.map(({ jobId }) => ({ do: 'record-job', jobId })));
}

/** Ends every job. `undefined`: each has ended or is about to. */
export function stopJobs({ jobs }: RunnerView): readonly Action[] | undefined {
  return stop(jobs);
}

/**
 * Ends jobs of which nothing comes: preparations of tasks that are not about to start any more, verifications of
 * what somebody else has decided.
 */
export function stopNeedless(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  const { value } = sprint.machine;
  const startsNothing =
    wordOf(value) === 'done' || nameOf(value) === 'active.paused' || hasFailedFast(view, sprint);
  return stop(
    view.jobs.filter(({ kind, taskId }) => {
      const task = sprint.tasks.get(taskId);
      if (kind === 'preparation') return startsNothing || !isPending(task);
      return kind === 'verification' && !(task && isDoneUnverified(sprint, task));
    }),
  );
}

/** The verification of a task whose agent has said by its exit code that it is done. One at a time. */
export function verifyNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (isJudging(view)) return undefined;
  const due = [...sprint.tasks.values()].find((task) => isDoneUnverified(sprint, task));
  return due && [{ do: 'start-verification', taskId: due.id }];
}

/** The commit of a task that was completed and whose agent is gone. One at a time: they share a branch. */
export function commitNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (isJudging(view)) return undefined;
  const due = [...sprint.tasks.values()].find(
    (task) =>
      view.toCommit.has(task.id) && wantsCommit(task) && !view.runs.some(({ taskId }) => taskId === task.id),
  );
  return due && [{ do: 'start-commit', taskId: due.id }];
}

/** Whether what an agent left is verified or committed. The next task would change files under it. */
export function isJudging({ jobs }: RunnerView): boolean {
  return jobs.some(({ kind }) => kind !== 'preparation');
}

/** The action that brings a task nearer to its next attempt: before the first one it is prepared. */
export function orPrepare(
  { prepared }: RunnerView,
  task: TaskState | undefined,
  start: Action & { readonly taskId: string },
): Action {
  const isDue = isPending(task) && !prepared.has(start.taskId);
  return isDue ? { do: 'prepare-task', taskId: start.taskId } : start;
}

/** `undefined` when there is none. */
export function waitForJobs({ jobs }: RunnerView): readonly Action[] | undefined {
  return jobs.length > 0 ? [{ do: 'wait', for: 'job' }] : undefined;
}

/** Nobody has worked on it, or not since it was reset. */
function isPending(task: TaskState | undefined): boolean {
  return task !== undefined && nameOf(task.machine.value) === 'pending';
}

/** An attempt that a runner started has completed it. */
function wantsCommit({ machine, agent, commit }: TaskState): boolean {
  return (
    nameOf(machine.value) === 'done.completed' &&
    commit === undefined &&
    agent?.attempt === machine.context.attempt
  );
}

function stop(jobs: readonly JobView[]): readonly Action[] | undefined {
  const working = jobs.filter(({ phase }) => phase === 'working');
  return someOf(working.map(({ jobId }) => ({ do: 'stop-job', jobId })));
}

function someOf(actions: readonly Action[]): readonly Action[] | undefined {
  return actions.length > 0 ? actions : undefined;
}
