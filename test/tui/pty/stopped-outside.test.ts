import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty, type PtyScreen } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

const ctrlC = '\u0003';
const ctrlG = '\u0007';

/** In a shell that a person sits at. */
async function attached(env: Record<string, string> = {}) {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const agent = { id: 'session-1', client: 'opencode' };
  await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
  const size = { columns: 100, rows: 30 };
  const shell = { PS1: 'shell> ', HISTFILE: '', node: process.execPath, clifford: cliFile };
  const screen = openPty('/bin/bash', ['--norc', '-i'], { cwd: root, ...size, env: { ...shell, ...env } });
  onTestFinished(async () => {
    screen.kill();
    await screen.exited;
  });
  await screen.see('shell>');
  screen.press("bind 'set enable-bracketed-paste off'; clear; before=$(stty -a)\r");
  screen.press('(echo "pid $BASHPID"; exec "$node" "$clifford" attach --mouse)\r');
  await screen.see('Enter answer');
  screen.press('8080');
  await screen.see('> 8080');
  return { root, screen, pid: Number(/pid (\d+)/.exec(screen.bytes())?.[1]) };
}

/** Behind a screen that is left: nothing is different in the terminal. */
async function isAsBefore(screen: PtyScreen): Promise<void> {
  await vi.waitFor(() => expect(screen.buffer()).toBe('normal'), { timeout: 15_000 });
  screen.press('[ "$(stty -a)" = "$before" ] && echo "as it was" || echo "not as it was"\r');
  await screen.see(/^(?:not )?as it was$/m);
  expect(screen.lines()).toContain('as it was');
  expect(modesLeftOn(screen.bytes())).toEqual([]);
}

it('a screen that is stopped by a signal gives the terminal back, and takes it again with what was typed', async () => {
  const { screen, pid } = await attached();
  const goesOn = async (text: string, more: string) => {
    screen.press('fg\r');
    await vi.waitFor(() => expect(screen.buffer()).toBe('alternate'), { timeout: 15_000 });
    await screen.see(`> ${text}`);
    screen.press(more);
    await screen.see(`> ${text}${more}`);
    expect(modesLeftOn(screen.bytes())).toContain('a title');
    expect(screen.lines().filter((line) => line.includes('Enter answer'))).toHaveLength(1);
  };
  let stops = 0;
  const isStopped = async () => {
    stops += 1;
    await vi.waitFor(() => expect(screen.bytes().split(/Stopped[^]*?shell>/)).toHaveLength(stops + 1), {
      timeout: 15_000,
    });
  };
  const isGivenBack = async () => {
    await isStopped();
    await vi.waitFor(() => expect(screen.buffer()).toBe('normal'), { timeout: 15_000 });
    expect(modesLeftOn(screen.bytes())).toEqual([]);
  };
  process.kill(pid, 'SIGTSTP');
  await isGivenBack();
  await goesOn('8080', '1');

  // Of this one it does not hear before it goes on.
  process.kill(pid, 'SIGSTOP');
  await isStopped();
  await goesOn('80801', '2');
  expect(screen.lines().join('\n')).not.toContain('Stopped');

  // By its key as before.
  screen.press('\u001A');
  await isGivenBack();
  await goesOn('808012', '3');
  screen.press(ctrlC);
  await screen.lose('> 8080123');
  screen.press(ctrlC);
  await isAsBefore(screen);
});

it('what an editor leaves on in the terminal is off behind it', async () => {
  const { root } = await projectWithSprint({ id: 'editor' });
  const editor = join(root, 'editor.sh');
  const modes = String.raw`printf '\033[?1049h\033[?1003h\033[?1004h\033[?25l'`;
  await writeFile(editor, `#!/bin/sh\nprintf 9090 > "$1"\n${modes}\nstty -echo raw\n`);
  await chmod(editor, 0o755);
  const { screen } = await attached({ EDITOR: editor, VISUAL: '' });
  screen.press(ctrlG);
  await screen.see('> 9090');
  expect(screen.bytes().lastIndexOf('[?1003l')).toBeGreaterThan(screen.bytes().lastIndexOf('[?1003h'));
  expect(screen.bytes().lastIndexOf('[?1000h')).toBeGreaterThan(screen.bytes().lastIndexOf('[?1000l'));
  screen.press(ctrlC);
  await screen.lose('> 9090');
  screen.press(ctrlC);
  await isAsBefore(screen);
});
