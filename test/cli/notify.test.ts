import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { readSignals } from '../helpers/terminal-signals.ts';

const args = ['notify', 'test', '--json'];

/** A project whose configuration has a program that calls a human, and a state folder that no other test has. */
async function projectWith(command: readonly string[], more: object = {}) {
  const root = await tempRoot();
  await writeSprint(root, { tasks: ['a'] });
  await writeConfig(join(root, 'clifford.json'), { notify: { command, ...more } });
  const env = { XDG_STATE_HOME: join(root, 'state') };
  const accept = () => clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root, env });
  return { root, env, accept };
}

describe('clifford notify test', () => {
  it('says what is off, and runs the program that a run of the project has had', async () => {
    const { root, env, accept } = await projectWith(['sh', '-c', 'cat >> told'], { bell: false });
    await accept();
    const { code, out, err } = await clifford(args, { cwd: root, env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const none = 'this is no terminal that may be written to';
    expect(JSON.parse(out)).toEqual([
      { channel: 'bell', outcome: 'off', said: 'switched off' },
      { channel: 'desktop', outcome: 'off', said: none },
      { channel: 'title', outcome: 'off', said: none },
      { channel: 'progress', outcome: 'off', said: none },
      { channel: 'command', outcome: 'sent', said: 'sh ended with 0' },
    ]);
    const told = (await readFile(join(root, 'told'), 'utf8')).trim().split('\n');
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'completed' }, { kind: 'test' }]);
  });

  it('fails where the program does', async () => {
    const { root, env, accept } = await projectWith(['false']);
    await accept();
    const { code, out } = await clifford(['notify', 'test'], { cwd: root, env });
    expect(code).toBe(1);
    expect(out).toMatch(/^command +notify\.command \(false\) ended with 1$/m);
  });

  it.each([
    ['nobody has agreed to', {}, 'not run: it is new since the last run. Try it at a terminal'],
    ['an agent asks for', { CLIFFORD_RUN_ID: 'run-1' }, 'not run: an agent may be asking for it'],
  ])('runs no program that %s', async (_who, more, said) => {
    const { root, env } = await projectWith(['touch', 'bad']);
    const { out } = await clifford(args, { cwd: root, env: { ...env, ...more } });
    expect(JSON.parse(out)).toContainEqual({ channel: 'command', outcome: 'off', said });
    expect(existsSync(join(root, 'bad'))).toBe(false);
  });

  it('asks about it at a terminal, and calls there in every way', async () => {
    const { root, env } = await projectWith(['touch', 'told']);
    const { press, see, kill, exited, bytes } = openPty(process.execPath, [cliFile, 'notify', 'test'], {
      cwd: root,
      env: { ...env, TERM_PROGRAM: 'ghostty', TMUX: '', KITTY_WINDOW_ID: '' },
    });
    onTestFinished(kill);
    await see('notify.command: ["touch","told"]');
    await see('Run this? [y/N]');
    press('y\r');
    expect(await exited).toBe(0);
    expect(existsSync(join(root, 'told'))).toBe(true);
    expect(await readSignals(bytes())).toMatchObject({
      bells: 1,
      notifications: [expect.stringMatching(/^777;notify;Clifford · test/)],
      titles: ['shell', '? 1 · test', '', 'shell'],
      progress: ['4;50', '0;0'],
    });
  });
});
