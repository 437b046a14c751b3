import { expect, it } from 'vitest';
import { commandsIn } from '../../../src/cli/run/run-own-command.ts';
import type { ToldPage } from '../../../src/cli/web/told-page.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('a command of the palette runs in the project, and is ended when it is left', async () => {
  const { root } = await projectWithSprint();
  const run = commandsIn({ env: process.env }, { root });
  let text = '';
  const onOutput = (more: string) => void (text += more);
  const { how } = await run(['status'], { signal: new AbortController().signal, onOutput });
  expect(how).toBe('');
  expect(text).toContain('demo');
  expect(text).toContain('\u001B[');
  const gone = await run(['questions', '--watch'], { signal: AbortSignal.timeout(1), onOutput });
  expect(gone.how).toMatch(/^was ended/);
  const failed = await run(['explain', 'NO_SUCH_CODE'], { signal: new AbortController().signal, onOutput });
  expect(failed.how).toMatch(/^ended with exit code [1-9]/);
});

it('the palette says where the page is, and that none is served', async () => {
  const { root } = await projectWithSprint();
  const said = async (page?: ToldPage) => {
    let text = '';
    const onOutput = (more: string) => void (text += more);
    const { how } = await commandsIn(
      { env: process.env },
      { root },
      page,
    )(['/page'], {
      signal: new AbortController().signal,
      onOutput,
    });
    return [text, how];
  };
  const address = 'http://127.0.0.1:4077/#t=key';
  expect(await said({ address, isForOthers: true, exposes: ['everybody reads'], qr: ['▀▄'] })).toEqual([
    `${address}\neverybody reads\n▀▄`,
    '',
  ]);
  expect(await said()).toEqual([expect.stringContaining('clifford run --web'), '']);
});
