import type { SprintState } from '../machines/project-state.ts';
import { nameOf, wordOf } from '../machines/words.ts';
import { nextTasks } from './next-tasks.ts';
import { awaitsHuman, isAttemptOver } from './run-facts.ts';
import { deadEnd, failedTasks, failureOf, questionsOf } from './sprint-reasons.ts';
import type { RunEnd } from './run-end.ts';
import type { Action, RunnerView, RunView } from './runner-view.ts';

/**
 * Compares what the log says should run with what runs, and says what to do about the difference.
 *
 * Pure, and asked again after every action and every event: a first start, the resumption after a
 * crash, a pause, a retry and a late answer are the same question. Never empty.
 */
export function reconcile(view: RunnerView): readonly Action[] {
  const { sprint, runs } = view;
  const exits = runs.filter(({ phase }) => phase === 'ended');
  if (exits.length > 0) return exits.map(({ runId }) => ({ do: 'record-exit', runId }));
  const news = runs.filter(({ hasFacts }) => hasFacts);
  if (news.length > 0) return news.map(({ runId }) => ({ do: 'record-facts', runId }));
  if (view.stopReason !== undefined) {
    return stopAll(runs) ?? [{ do: 'end', end: { outcome: 'stopped', reason: view.stopReason } }];
  }
  if (!view.entered || !sprint) return [{ do: 'enter-sprint' }];
  if (!view.recovered) return [{ do: 'end-orphans' }];

  const state = nameOf(sprint.machine.value);
  const over = endOf(sprint, state);
  if (over && (view.takenUp || over.outcome !== 'failed')) {
    return stopOver(view, sprint) ?? waitForAgents(view, sprint) ?? [{ do: 'end', end: over }];
  }
  if (!view.takenUp || state === 'pending') return takeUp(view, sprint);
  return stopOver(view, sprint) ?? startMore(view, sprint, state) ?? settle(view, sprint, state);
}

/** The first actions of every run, whether the sprint is new, failed, or was left in the middle. */
function takeUp({ takenUp }: RunnerView, sprint: SprintState): readonly Action[] {
  const failed = takenUp ? [] : failedTasks(sprint).map(({ id }) => id);
  const start: Action = { do: 'start-sprint' };
  return failed.length > 0 ? [{ do: 'reset-tasks', taskIds: failed }, start] : [start];
}

function startMore(view: RunnerView, sprint: SprintState, state: string): readonly Action[] | undefined {
  if (state === 'active.paused' || failedTasks(sprint).length > 0) return undefined;
  const starts = nextTasks(sprint, view).map((taskId): Action => ({ do: 'start-attempt', taskId }));
  return starts.length > 0 ? starts : undefined;
}

/** Nothing can be started: the sprint has ended, or someone else has to move. */
function settle(view: RunnerView, sprint: SprintState, state: string): readonly Action[] {
  if (!view.policy.wait && isUpToHuman(view, sprint, state)) {
    const reason = state === 'active.paused' ? 'the sprint is paused' : questionsOf(sprint);
    return stopAll(view.runs) ?? [{ do: 'end', end: { outcome: 'blocked', reason } }];
  }
  const agents = waitForAgents(view, sprint);
  if (agents) return agents;
  if (sprint.tally.failed > 0) return [{ do: 'fail-sprint', reason: failureOf(sprint) }];
  if (sprint.machine.context.finished) return [{ do: 'complete-sprint' }];
  if (state === 'active.paused') return [{ do: 'wait', for: 'resume' }];
  const retryAt = nextRetry(view, sprint);
  if (retryAt !== undefined) return [{ do: 'wait', for: 'retry', until: retryAt }];
  if (sprint.tally.blocked > 0) return [{ do: 'wait', for: 'human' }];
  return [{ do: 'fail-sprint', reason: deadEnd(sprint) }];
}

/** Every agent waits for an answer, and nothing goes on without one. */
function isUpToHuman(view: RunnerView, sprint: SprintState, state: string): boolean {
  if (!view.runs.every((run) => awaitsHuman(sprint, run))) return false;
  if (view.runs.length > 0) return true;
  if (sprint.tally.failed > 0 || sprint.machine.context.finished) return false;
  if (state === 'active.paused') return true;
  return sprint.tally.blocked > 0 && nextRetry(view, sprint) === undefined;
}

/** Stops agents whose attempt is over in the log, at once or after their grace. */
function stopOver(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  const stops = view.runs
    .filter((run) => run.phase === 'working' && (graceEnd(view, sprint, run) ?? Infinity) <= view.now)
    .map(({ runId, completedAt }): Action => {
      const reason = completedAt === undefined ? 'stopped' : 'finished';
      return { do: 'stop-agent', runId, reason };
    });
  return stops.length > 0 ? stops : undefined;
}

function waitForAgents(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (view.runs.length === 0) return undefined;
  const ends = view.runs
    .filter(({ phase }) => phase === 'working')
    .map((run) => graceEnd(view, sprint, run))
    .filter((at) => at !== undefined);
  const human = view.runs.every((run) => awaitsHuman(sprint, run));
  const wait = { do: 'wait', for: human ? 'human' : 'agent' } as const;
  return [ends.length > 0 ? { ...wait, until: Math.min(...ends) } : wait];
}

/**
 * When an agent has to be gone, because its attempt or its sprint is over: now, or some time after
 * it completed its task. `undefined`: it may go on, e.g. because it waits for a human.
 */
function graceEnd(view: RunnerView, sprint: SprintState, run: RunView): number | undefined {
  if (!isAttemptOver(sprint, run) && wordOf(sprint.machine.value) !== 'done') return undefined;
  if (run.completedAt === undefined) return view.now;
  if (awaitsHuman(sprint, run)) return undefined;
  return run.completedAt + view.policy.completionGraceMs;
}

/** The first instant at which a delayed attempt may start. */
function nextRetry({ retryAt, now }: RunnerView, sprint: SprintState): number | undefined {
  const delays = [...sprint.tasks.values()]
    .filter(({ machine }) => nameOf(machine.value) === 'active.retrying')
    .map(({ id }) => retryAt.get(id) ?? now)
    .filter((at) => at > now);
  return delays.length > 0 ? Math.min(...delays) : undefined;
}

/** `undefined` once no agent is left. */
function stopAll(runs: readonly RunView[]): readonly Action[] | undefined {
  if (runs.length === 0) return undefined;
  const working = runs.filter(({ phase }) => phase === 'working');
  if (working.length === 0) return [{ do: 'wait', for: 'agent' }];
  return working.map(({ runId }) => ({ do: 'stop-agent', runId, reason: 'stopped' }));
}

function endOf(sprint: SprintState, state: string): RunEnd | undefined {
  switch (state) {
    case 'done.completed':
      return { outcome: 'completed', reason: 'all tasks are done' };
    case 'done.failed':
      return { outcome: 'failed', reason: sprint.lastFailure ?? 'it failed' };
    case 'done.cancelled':
      return { outcome: 'cancelled', reason: 'it was cancelled' };
    default:
      return undefined;
  }
}
