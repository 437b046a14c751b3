import { expect, it } from 'vitest';
import { allKeys } from '../helpers/key-walk.ts';
import { pressKeys } from '../tui/pty/walks/press-keys.ts';

/** `npm run test:e2e` does the same where two columns stand side by side. */
it.each([
  ['one column', { columns: 48, rows: 20 }],
  ['three columns', { columns: 170, rows: 20 }],
])('each key of the keymap does what it is bound to in a terminal with %s', async (_layout, size) => {
  const pressed = await pressKeys(size);
  expect(allKeys.filter((key) => !pressed.has(key))).toEqual([]);
});
