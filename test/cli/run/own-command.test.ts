import { expect, it } from 'vitest';
import { commandsIn } from '../../../src/cli/run/run-own-command.ts';
import type { ToldPage } from '../../../src/cli/web/told-page.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const { stdout } = process;

it('what a command of the palette says is as wide as the screen that shows it, and wrapped once', async () => {
  const { root } = await projectWithSprint();
  const linesAt = async (columns: number) => {
    let text = '';
    const run = commandsIn(
      { env: { ...process.env, NO_COLOR: '1' }, stdout: Object.assign(Object.create(stdout), { columns }) },
      { root },
    );
    await run(['policy', 'list'], {
      signal: new AbortController().signal,
      onOutput: (more) => void (text += more),
    });
    return text.split('\n').map((line) => line.length);
  };
  const [narrow, wide] = await Promise.all([linesAt(60), linesAt(200)]);
  expect(Math.max(...narrow)).toBeLessThanOrEqual(58);
  expect(Math.max(...wide)).toBeGreaterThan(80);
  expect(wide.length).toBeLessThan(narrow.length);
});

it('a command of the palette runs in the project, and is ended when it is left', async () => {
  const { root } = await projectWithSprint();
  const run = commandsIn({ env: process.env, stdout }, { root });
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
      { env: process.env, stdout },
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
