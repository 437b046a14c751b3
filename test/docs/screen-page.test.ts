import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screenPage } from '../../scripts/key-table.ts';

it('docs/tui.md has the keys that the keymap has', async () => {
  expect(await screenPage()).toBe(await readFile(join(import.meta.dirname, '../../docs/tui.md'), 'utf8'));
});
