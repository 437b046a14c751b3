import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCommand } from '../../../src/workflow/verify/run-command.ts';

it('a command is ended when its time is over', async () => {
  const command = `${JSON.stringify(process.execPath)} -e 'setInterval(() => {}, 6e4)'`;
  const { signal } = new AbortController();
  const end = await runCommand(command, { cwd: tmpdir(), signal, limitMs: 300 });
  expect(end).toMatchObject({ code: null, isLate: true, how: 'was ended after 300 ms', output: '' });
});
