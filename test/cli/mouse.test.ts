import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { openPty, type PtyScreen } from '../helpers/pty-screen.ts';
import { freshSprint } from '../helpers/sprint-run.ts';

const escape = '\u001B';
const on = `${escape}[?1000h${escape}[?1006h`;
const off = `${escape}[?1006l${escape}[?1000l`;

/** As a shell that has jobs runs it. */
const shell = 'set -m; "$@"; echo "suspended $?"; read -r _; fg; exit $?';

async function openClifford(): Promise<{ screen: PtyScreen; isOurs: () => boolean }> {
  const { root, project } = await freshSprint();
  const agent = { id: 'session-1', client: 'opencode' };
  for (const question of ['Which database?', 'Which port?'])
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question });
  const command = ['-c', shell, 'sh', process.execPath, cliFile, '--mouse'];
  const screen = openPty('bash', command, { cwd: root });
  onTestFinished(screen.kill);
  const isOurs = () => screen.bytes().lastIndexOf(on) > screen.bytes().lastIndexOf(off);
  return { screen, isOurs };
}

it('--mouse: clicks pick, and the terminal has its mouse back behind Ctrl+Z and at the end', async () => {
  const { screen, isOurs } = await openClifford();
  const { press, see, lines } = screen;
  await see(/› *\? question +opencode +Which database\?/);
  expect(isOurs()).toBe(true);
  const row = lines().findIndex((line) => line.includes('Which port?'));
  press(`${escape}[<0;10;${row + 1}M${escape}[<0;10;${row + 1}m`);
  await see(/› *\? question +opencode +Which port\?/);
  press('\r');
  await see('Enter answer');
  // Of one screen after the other.
  expect(isOurs()).toBe(true);
  press('\u001A');
  await see(/suspended 1\d\d/);
  expect(isOurs()).toBe(false);
  press('\r');
  await see('Enter answer');
  await vi.waitFor(() => expect(isOurs()).toBe(true));
  press(escape);
  await see('Esc overview');
  press(escape);
  await see('Waits for you');
  press('q');
  expect(await screen.exited).toBe(0);
  expect(isOurs()).toBe(false);
});
