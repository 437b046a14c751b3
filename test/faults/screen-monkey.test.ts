import { expect, it } from 'vitest';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { letMonkeyPlay } from '../helpers/screen-monkey.ts';

/** Of one sprint: a history that grows makes each step dearer. */
const KEYS = 2_000;

/** A tenth of how often other faults are repeated: each run takes as long as ten of theirs. */
const runs = Math.ceil(faultRuns(500) / 10);

/** What keys can decide: monkeys of which none ever gets to one of them prove nothing about it. */
const decisions: Readonly<Record<string, RegExp>> = {
  'an answer': /^answered/,
  'a yes to one call': /^approved once/,
  'a no to a call': /^denied/,
  'a task or a sprint that is cancelled': /\.cancelled$/,
  'a task that is skipped': /^task\.skipped/,
  'a task that is tried again': /^task\.reset/,
};

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

// Of a few seeds that are tried again none may get to one of them.
it.skipIf(runs < 25)('each thing that keys can decide was decided, by keys that ask for it', () => {
  const all = [...decidedByAll.keys()];
  const missed = Object.entries(decisions).filter(([, each]) => !all.some((what) => each.test(what)));
  expect(missed.map(([what]) => what)).toEqual([]);
});
