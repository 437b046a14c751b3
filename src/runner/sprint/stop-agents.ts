import type { SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { overspending } from '../reconcile/budgets.ts';
import { awaitsHuman, isAttemptOver, mustConnect, onlyAwaitsHuman } from '../reconcile/run-facts.ts';
import type { Action, RunnerView, RunView } from '../reconcile/runner-view.ts';
import type { EndReason } from '../../events/end-reason.ts';
import { spanText } from '../../lib/time/duration.ts';
import { silenceLimit, type AttemptLimits } from '../attempt/watch.ts';

/**
 * Ends agents whose attempt is over in the log, at once or after their grace, and those at work that may not
 * go on: a limit is reached, or a budget. `undefined`: there is none.
 */
export function stopDue(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  const stops = view.runs
    .filter(({ phase }) => phase === 'working')
    .flatMap((run) => (isOver(sprint, run) ? stopOver(view, sprint, run) : stopAtWork(view, sprint, run)));
  return stops.length > 0 ? stops : undefined;
}

/** `undefined` once no agent is left. */
export function stopAll(runs: readonly RunView[]): readonly Action[] | undefined {
  if (runs.length === 0) return undefined;
  const working = runs.filter(({ phase }) => phase === 'working');
  if (working.length === 0) return [{ do: 'wait', for: 'agent' }];
  return working.map(({ runId }) => ({ do: 'stop-agent', runId, reason: 'stopped' }));
}

/** Until an agent has news, or has to be looked at. `undefined` when there is none. */
export function waitForAgents(view: RunnerView, sprint: SprintState): readonly Action[] | undefined {
  if (view.runs.length === 0) return undefined;
  const looks = view.runs
    .filter(({ phase }) => phase === 'working')
    .flatMap((run) =>
      isOver(sprint, run) ? [graceEnd(view, sprint, run)] : [run.watch.nextAt, run.wait?.until],
    )
    .filter((at) => at !== undefined);
  const human = view.runs.every((run) => awaitsHuman(sprint, run));
  const wait = { do: 'wait', for: human ? 'human' : 'agent' } as const;
  return [looks.length > 0 ? { ...wait, until: Math.min(...looks) } : wait];
}

function stopOver(view: RunnerView, sprint: SprintState, run: RunView): readonly Action[] {
  if ((graceEnd(view, sprint, run) ?? Infinity) > view.now) return [];
  const reason = run.completedAt === undefined ? 'stopped' : 'finished';
  return [{ do: 'stop-agent', runId: run.runId, reason }];
}

function stopAtWork(view: RunnerView, sprint: SprintState, run: RunView): readonly Action[] {
  const { runId, taskId, watch } = run;
  const task = sprint.tasks.get(taskId);
  const spent = task && overspending(view, sprint, task);
  if (spent !== undefined) return [{ do: 'stop-agent', runId, reason: 'overspent', detail: spent }];
  if (run.wait?.isOver && onlyAwaitsHuman(sprint, run)) return [{ do: 'park-agent', runId }];
  const due = dueEnd(sprint, run, view.policy.limits);
  if (!due) return [];
  const stop: Action = { do: 'stop-agent', runId, ...due };
  return due.reason === 'stalled' ? [{ do: 'record-stall', runId, idleMs: watch.silentMs }, stop] : [stop];
}

/** The log says that its attempt or its sprint is over. */
function isOver(sprint: SprintState, run: RunView): boolean {
  return isAttemptOver(sprint, run) || wordOf(sprint.machine.value) === 'done';
}

/**
 * When an agent whose attempt is over has to be gone: now, or some time after it completed its task.
 * `undefined`: it may go on, because it waits for a human or nothing is said of how long.
 */
function graceEnd(view: RunnerView, sprint: SprintState, run: RunView): number | undefined {
  if (run.completedAt === undefined) return view.now;
  const { exit } = view.policy.limits;
  if (exit === 0 || awaitsHuman(sprint, run)) return undefined;
  return run.completedAt + exit;
}

/** Why an agent at work has to be ended, and in words. */
type DueEnd = { readonly reason: EndReason; readonly detail: string };

/**
 * Why an agent at work has to be ended now, `undefined`: it may go on. Pure: what time has passed stands in
 * its watch. One that waits for a human may always go on.
 */
function dueEnd(sprint: SprintState, run: RunView, limits: AttemptLimits): DueEnd | undefined {
  if (awaitsHuman(sprint, run)) return undefined;
  const { report, watch } = run;
  const isMissing = mustConnect(sprint, run);
  // How the agent sees its connection is added with what else it said.
  if (isMissing && report.mcp?.status === 'failed')
    return { reason: 'unconnected', detail: 'the agent did not connect to Clifford' };
  const late = (isMissing ? notConnected(run, limits) : undefined) ?? tooLate(run, limits);
  if (!report.limit) return late;
  // Its own tries are signs of life; that none of them gets through is reason enough.
  if (limits.idle > 0 && watch.limitedMs >= limits.idle)
    return {
      reason: 'limited',
      detail: `the agent hit its usage limit and did not continue for ${spanText(limits.idle)}`,
    };
  // Refused more, it has nothing to be late with.
  return late && { reason: 'limited', detail: 'the agent hit its usage limit and did not continue' };
}

function notConnected({ watch }: RunView, limits: AttemptLimits): DueEnd | undefined {
  if (limits.connect === 0 || watch.ranMs < limits.connect) return undefined;
  const detail = `the agent did not connect to Clifford within ${spanText(limits.connect)}`;
  return { reason: 'unconnected', detail };
}

function tooLate(run: RunView, limits: AttemptLimits): DueEnd | undefined {
  const { report, watch } = run;
  if (report.isTurnOver && limits.exit > 0 && watch.idleMs >= limits.exit) {
    const detail = `the agent ended its turn without completing the task, and did not exit within ${spanText(limits.exit)}`;
    return { reason: 'hung', detail };
  }
  const silence = silenceLimit(run, limits);
  if (silence > 0 && watch.silentMs >= silence) {
    const during = run.usesTool ? ' while it used a tool' : '';
    return { reason: 'stalled', detail: `the agent was unresponsive for ${spanText(silence)}${during}` };
  }
  if (limits.attempt > 0 && watch.ranMs >= limits.attempt)
    return { reason: 'overtime', detail: `the agent took longer than ${spanText(limits.attempt)}` };
  return undefined;
}
