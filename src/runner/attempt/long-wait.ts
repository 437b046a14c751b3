import type { GroupSample } from '../../lib/processes/group-sample.ts';
import { showsLife, type Watch } from './watch.ts';

/** How long an agent has done nothing but wait for a human. Times in ms since the epoch. */
export type LongWait = {
  readonly since: number;
  /** When it has waited for as long as it may. */
  readonly until: number;
  /** It has, and nothing moved in its processes meanwhile. */
  readonly isOver: boolean;
  readonly sample: NonNullable<Watch['sample']> | undefined;
};

/**
 * The wait of an agent after one more look. Whatever it says or does begins it anew: one that asks beside its work is at
 * work.
 *
 * @param seen - `actedAt`: the last time it did something. `limitMs`: how long it may wait.
 * @param sampleNow - Looks at its processes. Called at the beginning and at the end of a wait only.
 */
export function lookAtWait(
  before: LongWait | undefined,
  { now, actedAt, limitMs }: { now: number; actedAt: number; limitMs: number },
  sampleNow: () => GroupSample | undefined,
): LongWait {
  const begin = (since: number, of = sampleNow()): LongWait => ({
    since,
    until: since + limitMs,
    isOver: false,
    sample: of && { of, at: now },
  });
  // The clock may have been set back.
  if (!before || before.since > now) return begin(now);
  if (actedAt > before.since) return begin(actedAt);
  const until = before.since + limitMs;
  if (now < until) return { ...before, until, isOver: false };
  const sample = sampleNow();
  return showsLife(before, sample, now) ? begin(now, sample) : { ...before, until, isOver: true };
}
