import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty, type PtyScreen } from '../../helpers/pty-screen.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';

/** Ids that a repository may bring along; each would make a file if a shell took it for more than a name. */
const tasks = [
  'a$(touch pwned)`touch pwned`;touch pwned;',
  'b\'$(touch pwned)\'"$(touch pwned)" * > pwned ${x:=$(touch pwned)}',
  'ä $(touch pwned)',
  '~$(touch pwned)',
  '$(touch pwned)',
  'plain',
];

const shells = [
  { name: 'bash', args: ['--norc', '-i'], load: 'source <(clifford completion bash)' },
  {
    name: 'zsh',
    args: ['-f', '-i'],
    load: 'autoload -U compinit; compinit -D; source <(clifford completion zsh)',
  },
  {
    name: 'fish',
    args: ['--no-config', '-i'],
    load: 'set -g fish_autosuggestion_enabled 0; clifford completion fish | source',
  },
].map((shell) => ({ ...shell, isHere: spawnSync(shell.name, ['-c', 'true']).status === 0 }));

/** An interactive shell in a project, which completes. */
async function openShell({ name, args, load }: (typeof shells)[number], ids: readonly string[]) {
  const { root } = await projectWithSprint({ tasks: ids });
  const bin = join(await tempRoot(), 'bin');
  await mkdir(bin);
  await symlink(cliFile, join(bin, 'clifford'));
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: root,
    XDG_CONFIG_HOME: root,
    XDG_STATE_HOME: root,
    XDG_DATA_HOME: root,
    PS1: '> ',
    LC_ALL: 'C.UTF-8',
    CLIFFORD_RUN_ID: '',
  };
  const screen = openPty(name, args, { cwd: root, env, columns: 160, rows: 50 });
  onTestFinished(async () => {
    screen.kill();
    await screen.exited;
  });
  screen.press(`${load}; echo lo''aded\r`);
  await screen.see(/^loaded/m);
  return { screen, isPwned: () => existsSync(join(root, 'pwned')) };
}

/** Types the beginning of a task, lets the shell complete it, and runs what then stands there. */
async function accept(screen: PtyScreen, typed: string, begun: string): Promise<void> {
  screen.press(`clifford skip ${typed}\t`);
  await screen.see(begun);
  screen.press('\r');
}

describe.each(shells)('in $name', (shell) => {
  it('what a repository calls its tasks is text: listed, inserted and run', async ({ skip }) => {
    skip(!shell.isHere, `${shell.name} is not installed`);
    const { screen, isPwned } = await openShell(shell, tasks);
    for (const id of tasks.slice(0, 2)) {
      await accept(screen, id.slice(0, 1), 'pwned');
      await screen.see(`skipped ${id}`);
      expect(isPwned(), id).toBe(false);
      screen.press('clear\r');
      await screen.lose('skipped');
    }
    screen.press('clifford skip \t\t');
    await screen.see(/plain/);
    expect(isPwned()).toBe(false);
  });
});

it('bash inserts nothing within quotes that somebody has begun', async () => {
  const [bash] = shells;
  if (!bash) throw new Error('no shell');
  const { screen, isPwned } = await openShell(bash, ['a"$(touch pwned)"']);
  screen.press('clifford skip "a\t"\r');
  await screen.see('Cannot find task a in sprint demo');
  expect(isPwned()).toBe(false);
});
