import { mergeOf, stuckOf } from '../../machines/fold-worktree.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { isDoneUnverified } from './exit-verdict.ts';
import { awaitsHuman } from './run-facts.ts';
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
 * what somebody else has decided, commits and merges of what was cancelled or given up.
 */
export function stopNeedless(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  const { value } = sprint.machine;
  const startsNothing =
    wordOf(value) === 'done' || nameOf(value) === 'active.paused' || hasFailedFast(view, sprint);
  return stop(
    view.jobs.filter(({ kind, taskId }) => {
      const task = sprint.tasks.get(taskId);
      if (kind === 'preparation') return startsNothing || !(isPending(task) || isUnprepared(task));
      if (kind === 'commit' || kind === 'merge')
        return isCancelled(sprint) && task?.worktree?.phase !== 'merged';
      return kind === 'verification' && !(task && isDoneUnverified(sprint, task));
    }),
  );
}

/** The verification of a task whose agent has said by its exit code that it is done. One at a time in one folder. */
export function verifyNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  const due = [...sprint.tasks.values()].find(
    (task) =>
      isDoneUnverified(sprint, task) &&
      !hasJob(view, task.id) &&
      (task.worktree !== undefined || !isJudging(view)),
  );
  return due && [{ do: 'start-verification', taskId: due.id }];
}

/** The commit of a task that was completed and whose agent is gone. One at a time: they share a branch. */
export function commitNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (isJudging(view) || isCancelled(sprint)) return undefined;
  const due = [...sprint.tasks.values()].find(
    (task) =>
      view.toCommit.has(task.id) &&
      task.worktree === undefined &&
      wantsCommit(task) &&
      !view.runs.some(({ taskId }) => taskId === task.id),
  );
  return due && [{ do: 'start-commit', taskId: due.id }];
}

/**
 * The merge of a completed task's worktree once its agent is gone: one at a time, and not under an agent that works in
 * the project's own folder.
 */
export function mergeNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (wordOf(sprint.machine.value) === 'done') return undefined;
  if (view.jobs.some(({ kind }) => kind === 'merge' || kind === 'commit')) return undefined;
  const isInTheWay = view.runs.some(
    (run) => sprint.tasks.get(run.taskId)?.worktree === undefined && !awaitsHuman(sprint, run),
  );
  if (isInTheWay) return undefined;
  const due = [...sprint.tasks.values()].find((task) => mergeOf(task) === 'due' && isLeft(view, task.id));
  return due && [{ do: 'start-merge', taskId: due.id }];
}

/** What a human has said about changes that could not be merged is done. */
export function settleNext(_view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (wordOf(sprint.machine.value) === 'done') return undefined;
  const due = [...sprint.tasks.values()].filter((task) => {
    const stuck = stuckOf(task);
    return stuck && sprint.requests.get(stuck.requestId)?.phase !== 'open';
  });
  return someOf(due.map(({ id }) => ({ do: 'settle-merge', taskId: id })));
}

/** A worktree that is merged, or given up, goes. One at a time. */
export function removeNext(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (view.jobs.some(({ kind }) => kind === 'removal')) return undefined;
  const due = [...sprint.tasks.values()].find(
    ({ id, worktree }) =>
      (worktree?.phase === 'merged' || worktree?.phase === 'dropped') &&
      !view.kept.has(id) &&
      isLeft(view, id),
  );
  return due && [{ do: 'start-removal', taskId: due.id }];
}

function isCancelled({ machine }: SprintState): boolean {
  return nameOf(machine.value) === 'done.cancelled';
}

/** Whether what an agent left is verified, committed or merged. The next task in the same folder would change files under it. */
export function isJudging({ jobs }: RunnerView): boolean {
  return jobs.some(({ kind }) => kind === 'verification' || kind === 'commit' || kind === 'merge');
}

/** The action that brings a task nearer to its next attempt: before the first one, and before each in a worktree, it is prepared. */
export function orPrepare(
  { prepared }: RunnerView,
  task: TaskState | undefined,
  start: Action & { readonly taskId: string },
): Action {
  const isDue = (isPending(task) || isUnprepared(task)) && !prepared.has(start.taskId);
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

/** Its worktree is not there yet or not any more, or what an attempt that was killed has left in it is in the way of the next. */
function isUnprepared(task: TaskState | undefined): boolean {
  return (task?.worktree !== undefined || task?.isApart === true) && wordOf(task.machine.value) !== 'done';
}

function hasJob({ jobs }: RunnerView, id: string): boolean {
  return jobs.some(({ taskId }) => taskId === id);
}

/** Neither an agent nor a job works on it. */
function isLeft(view: RunnerView, id: string): boolean {
  return !hasJob(view, id) && !view.runs.some(({ taskId }) => taskId === id);
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
