import { expect, it } from 'vitest';
import { letMonkeyPlay } from '../../helpers/screen-monkey.ts';

/** A hundred thousand are pressed by `npm run test:faults`, each time others. */
const KEYS = 200;
const PATIENCE_MS = 5 * 60_000;

it(
  'random keys on the screens of a project fail nothing, fit into the terminal, and decide nothing that was not asked for; the same seed presses the same at the same moments',
  async () => {
    const [played, again] = [await play(), await play()];
    expect(played.keys).toBeGreaterThanOrEqual(KEYS);
    expect(played.steps).toEqual(again.steps);
  },
  PATIENCE_MS,
);

const play = () => letMonkeyPlay({ seed: 1, keys: KEYS });
