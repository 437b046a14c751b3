import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { overspending } from './budgets.ts';
import { nextAgent, startsAfter } from '../plan/next-agent.ts';
import { noteActions } from './note-actions.ts';
import { isByItself, nextTasks, queuedTasks } from './next-tasks.ts';
import { endGuess, promptActions } from '../prompts/prompt-actions.ts';
import {
  commitNext,
  hearJobs,
  isJudging,
  mergeNext,
  orPrepare,
  removeNext,
  settleNext,
  stopJobs,
  stopNeedless,
  verifyNext,
  waitForJobs,
} from './job-actions.ts';
import { awaitsHuman } from './run-facts.ts';
import { failedTasks, failureOf, wholeFailureOf, withFailures } from '../../views/sprints/failure-text.ts';
import {
  cancellationOf,
  completionOf,
  deadEnd,
  hasFailed,
  hasFailedFast,
  questionsOf,
} from './sprint-reasons.ts';
import { stopAll, stopDue, waitForAgents } from '../sprint/stop-agents.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import { shareNext, taskEnd, waitToShare } from './share.ts';
import type { Action, RunnerView } from './runner-view.ts';
import { clockText } from '../../lib/time/clock-text.ts';

/**
 * Compares what the log says should run with what runs, and says what to do about the difference.
 *
 * Pure, and asked again after every action and every event: a first start, the resumption after a
 * crash, a pause, a retry and a late answer are the same question. Never empty.
 */
export function reconcile(view: RunnerView): readonly Action[] {
  const { sprint, runs } = view;
  const exits = runs.filter(({ phase }) => phase === 'ended');
  if (exits.length > 0)
    return exits.map((run) => (sprint && endGuess(sprint, run)) ?? { do: 'record-exit', runId: run.runId });
  const news = runs.filter(({ hasFacts }) => hasFacts);
  if (news.length > 0) return news.map(({ runId }) => ({ do: 'record-facts', runId }));
  const heard = hearJobs(view);
  if (heard) return heard;
  if (view.stopReason !== undefined) {
    const end: Action = { do: 'end', end: { outcome: 'stopped', reason: view.stopReason } };
    return stopJobs(view) ?? stopAll(runs) ?? waitForJobs(view) ?? [end];
  }
  if (!view.entered || !sprint) return [{ do: 'enter-sprint' }];
  if (!view.recovered) return [{ do: 'end-orphans' }];

  const prompts = promptActions(sprint, runs);
  if (prompts.length > 0) return prompts;
  const notes = noteActions(sprint, runs);
  if (notes.length > 0) return notes;

  const state = nameOf(sprint.machine.value);
  const over = endOf(sprint, state);
  if (over && (view.takenUp || over.outcome !== 'failed')) {
    return endRest(view, sprint) ?? waitForRest(view, sprint) ?? [{ do: 'end', end: over }];
  }
  if (view.drainReason !== undefined) return drain(view, sprint, view.drainReason);
  if (!view.takenUp || state === 'pending') return takeUp(view, sprint);
  return endRest(view, sprint) ?? startMore(view, sprint, state) ?? settle(view, sprint, state);
}

/** Ends what has to end, and verifies, commits or merges what an agent that is gone has left. */
function endRest(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  return (
    stopDue(view, sprint) ??
    stopNeedless(view, sprint) ??
    verifyNext(view, sprint) ??
    commitNext(view, sprint) ??
    // What a helper has made is merged by who has the sprint.
    (view.policy.share?.as === 'helper'
      ? undefined
      : (settleNext(view, sprint) ?? mergeNext(view, sprint) ?? removeNext(view, sprint)))
  );
}

/**
 * Nothing new is begun: what is under way comes to its end, and is verified, committed and merged. An agent that waits for a human is
 * ended, since that may take any time; the answer starts it again, wherever the sprint goes on.
 */
function drain(view: RunnerView, sprint: SprintState, reason: string): readonly Action[] {
  const rest = endRest(view, sprint);
  if (rest) return rest;
  const waiting = view.runs.filter((run) => run.phase === 'working' && awaitsHuman(sprint, run));
  if (waiting.length > 0) return waiting.map(({ runId }) => ({ do: 'stop-agent', runId, reason: 'stopped' }));
  const under = waitForRest(view, sprint);
  if (under) return under;
  if (view.takenUp && sprint.machine.context.finished) return [{ do: 'complete-sprint' }];
  return [{ do: 'end', end: { outcome: 'stopped', reason } }];
}

/** Until nothing runs any more. */
function waitForRest(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  return waitForAgents(view, sprint) ?? waitForJobs(view);
}

/** The first actions of every run, whether the sprint is new, failed, or was left in the middle. */
function takeUp({ takenUp, policy }: RunnerView, sprint: SprintState): readonly Action[] {
  const isOver = wordOf(sprint.machine.value) === 'done';
  const keeps = takenUp || (policy.keepsFailed && !isOver);
  const failed = keeps ? [] : failedTasks(sprint).map(({ id }) => id);
  const start: Action = { do: 'start-sprint' };
  return failed.length > 0 ? [{ do: 'reset-tasks', taskIds: failed }, start] : [start];
}

function startMore(view: RunnerView, sprint: SprintState, state: string): readonly Action[] | undefined {
  if (state === 'active.paused' || hasFailedFast(view, sprint)) return undefined;
  const isHeld = isJudging(view);
  if (isHeld && view.policy.isolation !== 'worktrees') return undefined;
  const reason = whyNoMore(view, sprint);
  if (reason !== undefined)
    return (
      stopJobs(view) ?? waitForRest(view, sprint) ?? [{ do: 'end', end: { outcome: 'overspent', reason } }]
    );
  const next = nextTasks(sprint, view).flatMap((id) => sprint.tasks.get(id) ?? []);
  const free = next.filter((task) => !isHeld || isByItself(task));
  const starts = free.map((task): Action => {
    const taskId = task.id;
    const agent = nextAgent(task, view);
    const isFallback = 'start' in agent && agent.start === 'fallback';
    const start = { do: 'start-attempt', taskId, ...(isFallback ? { isFallback } : {}) } as const;
    return orPrepare(view, task, start);
  });
  const all = [
    ...starts,
    ...shareNext(
      view,
      sprint,
      free.map(({ id }) => id),
    ),
  ];
  return all.length > 0 ? all : undefined;
}

/** The budget that is used up of a task whose turn it is, or was. */
function whyNoMore(view: RunnerView, sprint: SprintState): string | undefined {
  const queue = queuedTasks(sprint, view);
  for (const task of sprint.tasks.values()) {
    const word = wordOf(task.machine.value);
    const { runId, byHand } = task.machine.context;
    const isBegun = (word === 'active' || word === 'blocked') && runId === null && !byHand;
    const reason = isBegun || queue.includes(task) ? overspending(view, sprint, task) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Nothing can be started: the sprint has ended, or someone else has to move. */
function settle(view: RunnerView, sprint: SprintState, state: string): readonly Action[] {
  if (view.jobs.length === 0 && !view.policy.wait && isUpToHuman(view, sprint, state)) {
    const reason = withFailures(
      sprint,
      state === 'active.paused' ? 'the sprint is paused' : questionsOf(sprint),
    );
    return stopAll(view.runs) ?? [{ do: 'end', end: { outcome: 'blocked', reason } }];
  }
  const rest = waitForRest(view, sprint);
  if (rest) return rest;
  const over = taskEnd(view, sprint);
  if (over) return [{ do: 'end', end: over }];
  if ((view.share?.away.length ?? 0) > 0)
    return [waitForStart(view, sprint) ?? { do: 'wait', for: 'worker' }];
  const whole = view.share?.whole ?? sprint;
  const isGoingOn = state !== 'active.paused' && !hasFailedFast(view, sprint);
  const again = isGoingOn ? waitToShare(view) : undefined;
  if (again) return [soonest(again, waitForStart(view, sprint))];
  if (hasFailed(view, sprint)) return [{ do: 'fail-sprint', reason: failureOf(whole) }];
  if (sprint.machine.context.finished) return [{ do: 'complete-sprint' }];
  if (state === 'active.paused') return [{ do: 'wait', for: 'resume' }];
  const start = waitForStart(view, sprint);
  if (start?.for === 'limit' && !view.policy.wait) {
    const reason = withFailures(sprint, `task ${start.taskId}: ${start.why}`);
    return [{ do: 'end', end: { outcome: 'limited', reason } }];
  }
  if (start) return [start];
  if (sprint.tally.blocked > 0) return [{ do: 'wait', for: 'human' }];
  const { refused = [] } = view.share ?? {};
  const reason = refused.length > 0 ? `no other worker could do ${refused.join(', ')}` : deadEnd(whole);
  return [{ do: 'fail-sprint', reason }];
}

/** Every agent waits for an answer, and nothing goes on without one. */
function isUpToHuman(view: RunnerView, sprint: SprintState, state: string): boolean {
  if (!view.runs.every((run) => awaitsHuman(sprint, run))) return false;
  if (view.runs.length > 0) return true;
  if (hasFailed(view, sprint) || sprint.machine.context.finished) return false;
  if (state === 'active.paused') return true;
  return sprint.tally.blocked > 0 && waitForStart(view, sprint) === undefined;
}

function endOf(sprint: SprintState, state: string): RunEnd | undefined {
  switch (state) {
    case 'done.completed':
      return { outcome: 'completed', reason: completionOf(sprint) };
    case 'done.failed':
      return { outcome: 'failed', reason: wholeFailureOf(sprint) };
    case 'done.cancelled':
      return { outcome: 'cancelled', reason: cancellationOf(sprint) };
    default:
      return undefined;
  }
}

/** A wait for an instant, as that at which an attempt may start. */
type StartWait = Action & { readonly do: 'wait'; readonly until: number };

function soonest(one: StartWait, other: StartWait | undefined): StartWait {
  return other && other.until < one.until ? other : one;
}

/** The wait for the first attempt that may not start yet; `undefined`: none has to wait. */
function waitForStart(view: RunnerView, sprint: SprintState): StartWait | undefined {
  const queue = queuedTasks(sprint, view);
  const waits = [...sprint.tasks.values()]
    .filter((task) => isBegun(task) || queue.includes(task))
    .map((task): StartWait => {
      const until = startsAfter(task, view);
      const next = nextAgent(task, view);
      if (!('waitUntil' in next)) return { do: 'wait', for: 'retry', until };
      const who = next.limited ?? 'the agent';
      const why = `the usage limit of ${who} is reached, it continues at ${clockText(until, view.now)}`;
      return { do: 'wait', for: 'limit', taskId: task.id, until, why };
    })
    .filter(({ until }) => until > view.now)
    .toSorted((one, other) => one.until - other.until);
  return waits[0];
}

/** Begun by a runner, and without an agent. */
function isBegun({ machine: { value, context } }: TaskState): boolean {
  return wordOf(value) === 'active' && context.runId === null && !context.byHand;
}
