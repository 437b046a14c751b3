import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { readSignals } from '../helpers/terminal-signals.ts';
import { webServer } from '../notify/remote/support/web-server.ts';

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
      { channel: 'command', outcome: 'sent', said: 'sh ended with exit code 0' },
    ]);
    const told = (await readFile(join(root, 'told'), 'utf8')).trim().split('\n');
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'completed' }, { kind: 'test' }]);
  });

  it('fails where the program does', async () => {
    const { root, env, accept } = await projectWith(['false']);
    await accept();
    const { code, out } = await clifford(['notify', 'test'], { cwd: root, env });
    expect(code).toBe(1);
    expect(out).toMatch(/^command +notify\.command \(false\) ended with exit code 1$/m);
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

  it('asks about a program that has changed once: the next run takes it, and nothing else that is new', async () => {
    const { root, env, accept } = await projectWith(['true']);
    expect(await accept()).toMatchObject({ code: 0 });
    await writeSprint(root, { tasks: ['a', 'b'] });
    await writeConfig(join(root, 'clifford.json'), { notify: { command: ['touch', 'told'] } });
    const { see, press, exited } = openClifford(['notify', 'test', 'command'], { cwd: root, env });
    await see('Run this? [y/N]');
    press('y\r');
    expect(await exited).toBe(0);
    await writeConfig(join(root, 'clifford.json'), {
      notify: { command: ['touch', 'told'] },
      verify: ['touch seen'],
    });
    const refused = await accept();
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('agreed to run it: verify: touch seen\n');
    await writeConfig(join(root, 'clifford.json'), { notify: { command: ['touch', 'told'] } });
    expect(await accept()).toMatchObject({ code: 0 });
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
    // Once it was agreed to, nobody is asked again.
    const again = await clifford(args, { cwd: root, env });
    expect(JSON.parse(again.out)).toContainEqual({
      channel: 'command',
      outcome: 'sent',
      said: 'touch ended with exit code 0',
    });
    expect(await readSignals(bytes())).toMatchObject({
      bells: 1,
      notifications: [expect.stringMatching(/^777;notify;Clifford · test/)],
      titles: ['shell', '? 1 · test', '', 'shell'],
      progress: ['4;50', '0;0'],
    });
  });
});

describe('a channel that reaches anywhere', () => {
  /** A project with a webhook of its own, and what that was sent. */
  async function projectWithBoard() {
    const told: unknown[] = [];
    const { url } = await webServer(({ body }) => {
      told.push(JSON.parse(body));
      return {};
    });
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    const channels = {
      board: { via: 'webhook', url, what: ['end'] },
      phone: { via: 'ntfy', topic: '${NO_TOPIC}' },
    };
    await writeConfig(join(root, 'clifford.json'), { notify: { channels } });
    return { root, env: { XDG_STATE_HOME: join(root, 'state') }, told };
  }

  it('of a project is off until a person trusts it, and then tried by name', async () => {
    const { root, env, told } = await projectWithBoard();
    const place = { cwd: root, env };
    const isNew = 'you have not trusted it yet: clifford notify trust';
    const before = await clifford(['notify', 'test', 'board', '--json'], place);
    expect(JSON.parse(before.out)).toEqual([{ channel: 'board', outcome: 'off', said: isNew }]);
    expect(before.code).toBe(1);
    expect(await clifford(['notify', 'test', 'phone'], place)).toMatchObject({ code: 1 });
    const shown = await clifford(['notify', 'trust'], place);
    expect(shown.code).toBe(2);
    expect(shown.out).toContain('via: "webhook" (clifford.json:');
    expect(shown.err).toContain('Cannot ask whether you trust this: there is no terminal');
    const agents = await clifford(['notify', 'trust', '--yes'], {
      ...place,
      env: { ...env, CLIFFORD_RUN_ID: 'run-1' },
    });
    expect(agents.err).toContain('Cannot trust the channels of notify: this is the shell of an agent');
    expect(await clifford(['notify', 'trust', '--yes'], place)).toMatchObject({ code: 0 });
    const after = await clifford(['notify', 'test', '--json'], place);
    // One that is off calls nobody: whether it lacks a variable, or trust.
    expect(after.code).toBe(1);
    expect(JSON.parse(after.out)).toEqual(
      expect.arrayContaining([
        {
          channel: 'board',
          outcome: 'sent',
          said: expect.stringMatching(/^webhook: 127\.0\.0\.1:\d+ answered HTTP 200$/),
        },
        { channel: 'phone', outcome: 'off', said: 'NO_TOPIC, which topic needs, is not set' },
      ]),
    );
    expect(told).toMatchObject([{ kind: 'test' }]);
    const file = join(root, 'clifford.json');
    const { notify } = JSON.parse(await readFile(file, 'utf8')) as {
      notify: { channels: { board: object } };
    };
    const { board } = notify.channels;
    await writeConfig(file, { notify: { channels: { board, wall: board } } });
    expect(await clifford(['notify', 'test'], place)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/wall +you have not trusted it yet/),
    });
    await writeConfig(file, { notify: { channels: { board } } });
    expect(await clifford(['notify', 'test'], place)).toMatchObject({ code: 0 });
    expect(told).toHaveLength(3);
    const asAgent = await clifford(['notify', 'test', 'board'], {
      ...place,
      env: { ...env, CLIFFORD_RUN_ID: 'run-1' },
    });
    expect(asAgent.out).toContain('not sent: an agent may be asking for it');
    expect(told).toHaveLength(3);
    expect((await clifford(['notify', 'test', 'bord'], place)).err).toContain('Cannot test bord');
  });

  it('is told the end of a run, also without a terminal, and one that is off is a note', async () => {
    const { root, env, told } = await projectWithBoard();
    await clifford(['notify', 'trust', '--yes'], { cwd: root, env });
    const run = await clifford(['run', '--plain', '--agent-cmd', agentHere('complete')], { cwd: root, env });
    expect(run).toMatchObject({ code: 0 });
    expect(run.err).toContain('notify.channels.phone is off: NO_TOPIC, which topic needs, is not set');
    expect(told).toMatchObject([{ kind: 'completed', title: 'Clifford · Sprint demo: done' }]);
  });

  it('calls by what its agents do not have', async () => {
    const { root, env } = await projectWithBoard();
    const seen = join(root, 'seen');
    const agent = `sh -c 'cat > /dev/null; env > ${seen}'`;
    const more = { ...env, NO_TOPIC: 'a-topic-that-nobody-knows', OTHER: 'theirs' };
    await clifford(['run', '--plain', '--agent-cmd', agent], { cwd: root, env: more });
    const variables = await readFile(seen, 'utf8');
    expect(variables).toContain('OTHER=theirs');
    expect(variables).not.toContain('a-topic-that-nobody-knows');
  });
});
