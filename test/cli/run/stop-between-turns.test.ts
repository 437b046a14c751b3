import { expect, it, onTestFinished } from 'vitest';
import { cliFile, preload } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** Ctrl-Z in the middle of a turn, as soon as the program handles it, and a word at the end of that turn. */
const stoppedInATurn = preload(`
  import { writeSync } from 'node:fs';
  process.on('newListener', function handles(event) {
    if (event !== 'SIGTSTP') return;
    process.off('newListener', handles);
    setImmediate(() => {
      process.kill(process.pid, 'SIGTSTP');
      writeSync(2, 'the turn is over\\n');
    });
  });
`);

/** `clifford status` in a terminal, which Ctrl-Z reaches: what it wrote, and its exit code. */
async function inTerminal(before: readonly string[]): Promise<{ written: string; code: number }> {
  const { root } = await projectWithSprint();
  const [file, ...args] = [...before, process.execPath, ...stoppedInATurn, cliFile, 'status'];
  const terminal = openPty(file, args, { cwd: root });
  onTestFinished(terminal.kill);
  const code = await terminal.exited;
  return { written: terminal.bytes(), code };
}

it('Ctrl-Z stops clifford only when its turn is over, and it goes on from there', async () => {
  const shell = ['sh', '-c', 'set -m; "$@"; echo "the shell is back"; fg', 'sh'];
  const { written, code } = await inTerminal(shell);
  expect(written).toMatch(/the turn is over[^]*the shell is back/);
  expect(written).toContain('Sprint demo');
  expect(code).toBe(0);
});

it('Ctrl-Z stops no clifford that nobody could let go on: it has the terminal without a shell', async () => {
  const { written, code } = await inTerminal([]);
  expect(written).toMatch(/the turn is over[^]*Sprint demo/);
  expect(code).toBe(0);
});
