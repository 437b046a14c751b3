import { expect, it } from 'vitest';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { letMonkeyPlay } from '../helpers/screen-monkey.ts';

/** Of one sprint: a history that grows makes each step dearer. */
const KEYS = 2_000;

/** A tenth of how often other faults are repeated: each run takes as long as ten of theirs. */
const runs = Math.ceil(faultRuns(500) / 10);

/** What keys can decide: monkeys of which none ever gets there prove nothing. One of ten or so does not. */
const decisions = ['answered', 'rejected', 'dismissed', 'approved', 'denied', 'questioned'];

/** How often each was decided, by all of them. */
const decidedByAll = new Map<string, number>();

it.each(Array.from({ length: runs }, (_, run) => faultSeed() + run))(
  'random keys decide nothing that was not asked for, with the seed %i',
  async (seed) => {
    const { keys, decided } = await letMonkeyPlay({ seed, keys: KEYS });
    expect(keys).toBeGreaterThanOrEqual(KEYS);
    for (const [what, times] of decided) decidedByAll.set(what, (decidedByAll.get(what) ?? 0) + times);
    console.log(`seed ${seed}: ${keys} keys, decided ${JSON.stringify(Object.fromEntries(decided))}`);
  },
);

// One seed that is tried again may be one of those that decide nothing.
it.skipIf(runs < 5)('random keys decide about questions and calls, some of them where they should', () => {
  const all = [...decidedByAll.keys()];
  expect(decisions.filter((each) => all.some((what) => what.startsWith(each)))).not.toEqual([]);
});
