import { expect, it } from 'vitest';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { letMonkeyPlay } from '../helpers/screen-monkey.ts';

/** Of one sprint: a history that grows makes each step dearer. */
const KEYS = 2_000;

/** A tenth of how often other faults are repeated: each run takes as long as ten of theirs. */
const runs = Math.ceil(faultRuns(500) / 10);

/** What keys can decide: a monkey that never gets there proves nothing. */
const decisions = ['answered', 'rejected', 'dismissed', 'approved', 'denied', 'questioned'];

it.each(Array.from({ length: runs }, (_, run) => faultSeed() + run))(
  'random keys decide nothing that was not asked for, with the seed %i',
  async (seed) => {
    const { keys, decided } = await letMonkeyPlay({ seed, keys: KEYS });
    expect(keys).toBeGreaterThanOrEqual(KEYS);
    expect([...decided.keys()].some((what) => decisions.some((each) => what.startsWith(each)))).toBe(true);
    console.log(`seed ${seed}: ${keys} keys, decided ${JSON.stringify(Object.fromEntries(decided))}`);
  },
);
