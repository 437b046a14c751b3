import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { TaskView } from './describe-sprint.ts';
import type { SprintStatus } from './sprint-status.ts';

/** Who is at work on a sprint; where nobody is, what would become of it. */
export type WhoRuns =
  /** A runner on this machine, with these agents at work, and these that wait for a human. */
  | { readonly is: 'running'; readonly agents: readonly string[]; readonly waiting: readonly string[] }
  /** No runner, but somebody works on a task without one. */
  | { readonly is: 'by-hand' }
  /** It waits in the queue for a worker. */
  | { readonly is: 'queued' }
  /** It is under way, and nobody runs it. */
  | { readonly is: 'deserted' }
  | { readonly is: 'paused' }
  | { readonly is: 'not-started' }
  /** It was not started, and nothing of it is left to do: a run completes it. */
  | { readonly is: 'nothing-left' }
  /** A run takes it up again. */
  | { readonly is: 'failed' }
  | { readonly is: 'over' }
  | { readonly is: 'empty' }
  /** Its folder cannot be used: nothing can start it. */
  | { readonly is: 'unusable'; readonly why: string }
  /** No sprint: what is asked outside of any. */
  | { readonly is: 'outside' };

/** Who is at work on a sprint, whose folder is known or not. */
export function whoRuns(
  sprint: SprintStatus,
  { folder, broken }: Pick<KnownSprint, 'broken'> & { readonly folder: unknown },
): WhoRuns {
  const { id, state, detail, tasks, hasRunner, queuedAt } = sprint;
  if (id === ADHOC_STREAM) return { is: 'outside' };
  const isEnded = state === 'done' && detail !== 'failed';
  // A runner may stay a moment longer, to show what became of it.
  if (isEnded && !tasks.some(({ state: is }) => is !== 'done')) return { is: 'over' };
  if (hasRunner) {
    const namesOf = (isBlocked: boolean) =>
      tasks.flatMap(({ agent, isAgentGone, state: taskState }) =>
        agent && !isAgentGone && (taskState === 'blocked') === isBlocked ? [agent.name] : [],
      );
    return { is: 'running', agents: namesOf(false), waiting: namesOf(true) };
  }
  const hasNew = tasks.some((task) => task.state === 'pending');
  if (isEnded && (detail === 'cancelled' || !hasNew)) return { is: 'over' };
  if (queuedAt !== undefined) return { is: 'queued' };
  if (!folder) return { is: 'unusable', why: broken?.message ?? 'its folder is gone' };
  if (tasks.length === 0) return { is: 'empty' };
  if (detail === 'failed') return { is: 'failed' };
  if (detail === 'paused') return { is: 'paused' };
  if (tasks.some((task) => task.state === 'active' && task.byHandSince !== undefined))
    return { is: 'by-hand' };
  if (isDeserted(sprint)) return { is: 'deserted' };
  return { is: isFinished(sprint) ? 'nothing-left' : 'not-started' };
}

/** Whether it goes on only once somebody starts a run. */
export function lacksRunner({ is }: WhoRuns): boolean {
  return is === 'deserted' || is === 'not-started' || is === 'nothing-left' || is === 'failed';
}

/** Whether a run can be started: by itself, where somebody turns to it, or on their wish only. */
export function mayStart(runs: WhoRuns): 'at-once' | 'on-wish' | 'no' {
  if (runs.is === 'failed' || runs.is === 'by-hand') return 'on-wish';
  return lacksRunner(runs) ? 'at-once' : 'no';
}

/** It is under way, and nobody runs it. */
export function isDeserted({ state, hasRunner }: SprintStatus): boolean {
  return !hasRunner && (state === 'active' || state === 'blocked');
}

/** It was not started, and nothing of it is left to do: a run completes it. */
export function isFinished({ state, tasks, hasRunner }: SprintStatus): boolean {
  const isEnded = (task: TaskView) => task.state === 'done' && task.detail !== 'failed';
  return !hasRunner && state === 'pending' && tasks.length > 0 && tasks.every(isEnded);
}
