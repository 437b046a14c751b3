import { expect, it } from 'vitest';
import { letMonkeyPlay } from '../../helpers/screen-monkey.ts';

/** A hundred thousand are pressed by `npm run test:faults`, each time others. */
const KEYS = 300;
const SEED = 1;
const PATIENCE_MS = 5 * 60_000;

it(
  'random keys on the screens of a project fail nothing, fit into the terminal, and decide nothing that was not asked for',
  async () => {
    const { keys } = await letMonkeyPlay({ seed: SEED, keys: KEYS });
    expect(keys).toBeGreaterThanOrEqual(KEYS);
  },
  PATIENCE_MS,
);

it(
  'the same seed presses the same keys at the same moments',
  async () => {
    const steps = async () => (await letMonkeyPlay({ seed: 2, keys: 100 })).steps;
    expect(await steps()).toEqual(await steps());
  },
  PATIENCE_MS,
);
