import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDrawn, ROOMS } from '../../../scripts/mutate/drawn-files.ts';

it.each([
  ['src/runner/sprint/sprint-driver.ts', true],
  ['src/machines/sprint.machine.ts', true],
  ['src/lib/text/hidden-characters.ts', true],
  ['src/workflow/project/agent-context.ts', true],
  ['src/gateway/transport/message-lines.ts', true],
  ['src/cli/text/status-lines.ts', false],
  ['src/errors.ts', false],
])('of %s mutants are drawn: %s', (file, drawn) => {
  expect(isDrawn(file)).toBe(drawn);
});

it('leaves no room out', async () => {
  const found = await readdir(join(import.meta.dirname, '../../../src'), { withFileTypes: true });
  const rooms = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(rooms.toSorted()).toEqual([...ROOMS].toSorted());
});
