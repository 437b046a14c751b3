import type { EndReason } from '../../events/end-reason.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { awaitsHuman, isConnected } from '../reconcile/run-facts.ts';
import type { RunView } from '../reconcile/runner-view.ts';
import { spanText } from '../../lib/time/duration.ts';
import { silenceLimit, type AttemptLimits } from './watch.ts';

/** Why an agent at work has to be ended, and in words. */
export type DueEnd = { readonly reason: EndReason; readonly detail: string };

/**
 * Why an agent at work has to be ended now, `undefined`: it may go on. Pure: what time has passed stands in
 * its watch. One that waits for a human may always go on.
 */
export function dueEnd(sprint: SprintState, run: RunView, limits: AttemptLimits): DueEnd | undefined {
  if (awaitsHuman(sprint, run)) return undefined;
  const { report, watch } = run;
  const isMissing = run.connects && !isConnected(sprint, run);
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
