import { backoffMs } from '../lib/time/backoff.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { UsageLimit } from './project-state.ts';

/** How long after the named time a limit is taken to last: clocks differ, and others wait for it, too. */
const SLACK_MS = 3_000;

/** How long a limit is taken to last when nobody says until when. It doubles each time. */
const WAIT = { firstMs: 5 * 60_000, longestMs: 60 * 60_000 };

/** When an agent that was refused more may be tried again, ms since the epoch. */
export function limitEnd({ resetsAt, at, times }: UsageLimit): number {
  if (resetsAt !== undefined) return Date.parse(resetsAt) + SLACK_MS;
  return Date.parse(at) + backoffMs(WAIT, times - 1);
}

/**
 * When an agent may be started, as far as these limits go, ms since the epoch; 0: at any time. `undefined`
 * stands for the agent of a bare command line: nothing is known of it.
 */
export function limitedUntil(limits: readonly UsageLimit[], agent: string | undefined): number {
  const limit = limits.find((each) => each.agent === agent);
  return limit ? limitEnd(limit) : 0;
}

/** The latest that a limit can last which follows from a refusal, however often there was one before, as above. */
export function latestLimitEnd({ data, time: at }: StoredEvent<'agent.limited'>): number {
  return limitEnd({ ...data, agent: '', at, times: Infinity });
}
