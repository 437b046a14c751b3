import type { SprintState, UsageLimit } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { MAX_DELAY_MS, retryDelay } from './exit-verdict.ts';
import type { RunnerView } from './runner-view.ts';

/**
 * When the next attempts at tasks may start that wait out a delay, by task id, ms since the epoch. It follows from
 * the log: a runner waits for what is left of a delay that an earlier one began.
 *
 * @param limits - Usage limits that count for this runner, and those it does not wait for.
 * @param retryDelayMs - The delay before the second attempt.
 */
export function retryTimes(
  sprint: SprintState | undefined,
  {
    limits,
    disregarded,
    retryDelayMs,
    now,
  }: Pick<RunnerView, 'limits' | 'now'> & {
    readonly disregarded: readonly UsageLimit[];
    readonly retryDelayMs: number;
  },
): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const task of sprint?.tasks.values() ?? []) {
    const runId = task.agent?.runId;
    const isDisregarded = disregarded.some((limit) => limit.runId === runId);
    const refusals = limits.find((limit) => limit.runId === runId)?.times ?? 1;
    const at = Math.max(
      task.retryAt === undefined ? 0 : Date.parse(task.retryAt),
      // Whatever it says of the end of its limit: who is refused again and again is asked less and less often.
      isDisregarded ? 0 : (limitedAt(task) ?? 0) + retryDelay(retryDelayMs, refusals - 1),
    );
    // The clock was set back: no attempt is put off for so long.
    if (at > now && at <= now + MAX_DELAY_MS) times.set(task.id, at);
  }
  return times;
}

/** When its last agent was ended because its provider refused it more, ms since the epoch. */
function limitedAt({ agent }: TaskState): number | undefined {
  const end = agent?.end;
  if (!end || !('code' in end) || end.reason !== 'limited' || agent.endedAt === undefined) return undefined;
  return Date.parse(agent.endedAt);
}
