import { expect, it } from 'vitest';
import { allKeys } from '../../helpers/key-walk.ts';
import { pressKeys } from './walks/press-keys.ts';

const PATIENCE_MS = 5 * 60_000;

/** The layouts with one column and with three are for `npm run test:faults`. */
it(
  'each key of the keymap does what it is bound to in a terminal with two columns',
  async () => {
    const pressed = await pressKeys({ columns: 100, rows: 20 });
    expect(allKeys.filter((key) => !pressed.has(key))).toEqual([]);
  },
  PATIENCE_MS,
);
