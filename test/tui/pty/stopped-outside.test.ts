import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

const ctrlC = '\u0003';
const ctrlG = '\u0007';

/** As a shell that has jobs runs it: what is stopped goes on when Enter is pressed, and the terminal is the shell's until then. */
const shell = `
  set -m
  before=$(stty -a)
  (echo "pid $BASHPID"; exec "$@")
  code=$?
  times=0
  while [ -n "$(jobs -s)" ]; do
    stty sane
    times=$((times + 1))
    echo "stopped $times"
    read -r _
    fg > /dev/null
    code=$?
  done
  [ "$(stty -a)" = "$before" ] && echo "as it was, $code" || stty -a`;

async function attached(env: Record<string, string> = {}) {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const agent = { id: 'session-1', client: 'opencode' };
  await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
  const args = ['-c', shell, 'bash', process.execPath, cliFile, 'attach', '--mouse'];
  const screen = openPty('/bin/bash', args, { cwd: root, columns: 100, rows: 30, env });
  onTestFinished(screen.kill);
  await screen.see('Enter answer');
  screen.press('8080');
  await screen.see('> 8080');
  return { root, screen, pid: Number(/pid (\d+)/.exec(screen.bytes())?.[1]) };
}

const left = (bytes: string) => modesLeftOn(bytes).filter((mode) => mode !== 'a title');

it('a screen that is stopped by a signal gives the terminal back, and takes it again with what was typed', async () => {
  const { screen, pid } = await attached();
  process.kill(pid, 'SIGTSTP');
  await screen.see('stopped 1');
  expect(screen.buffer()).toBe('normal');
  expect(left(screen.bytes())).toEqual([]);
  screen.press('\r');
  await screen.see('> 8080');
  screen.press('1');
  await screen.see('> 80801');

  // Of this one it does not hear before it goes on.
  process.kill(pid, 'SIGSTOP');
  await screen.see('stopped 2');
  screen.press('\r');
  await screen.lose('stopped 2');
  await screen.see('> 80801');
  screen.press('2');
  await screen.see('> 808012');
  expect(screen.lines().filter((line) => line.includes('Enter answer'))).toHaveLength(1);

  // By its key as before.
  screen.press('\u001A');
  await screen.see('stopped 3');
  screen.press('\r');
  await screen.see('> 808012');
  screen.press(ctrlC);
  await screen.lose('> 808012');
  screen.press(ctrlC);
  await screen.see('as it was, 0');
  expect(left(screen.bytes())).toEqual([]);
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
  await vi.waitFor(() => expect(screen.bytes()).toMatch(/as it was, 0|speed /), { timeout: 15_000 });
  expect(screen.bytes()).toContain('as it was, 0');
  expect(left(screen.bytes())).toEqual([]);
});
