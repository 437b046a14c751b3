import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runVerifyCommand } from '../../../src/workflow/verify/run-verify-command.ts';

const { signal } = new AbortController();
const run = (command: string) =>
  runVerifyCommand({ root: tmpdir(), asLogged: (text) => text.replaceAll('secret', '***') }, command, {
    signal,
  });

it('the log says why a command has no code, after what it printed', async () => {
  const missing = await run('no-such-program --all');
  expect(missing.data).toMatchObject({
    code: null,
    output: 'could not be started: no-such-program is not on the PATH',
  });
  const killed = await run(`sh -c 'echo half of it; kill -9 $$'`);
  expect(killed.data).toMatchObject({ code: null, output: 'half of it\nwas ended by SIGKILL' });
  expect(killed.ended.output).toBe('half of it');
});

it('the log keeps the end of what a command printed, without secrets', async () => {
  const { data } = await run(`sh -c 'yes a secret | head -n 4000000; exit 3'`);
  expect(data).toMatchObject({ code: 3, command: expect.stringContaining('yes') });
  expect(data.output.length).toBeLessThanOrEqual(8_000);
  expect(data.output.slice(-11)).toBe('a ***\na ***');
});
