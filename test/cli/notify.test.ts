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
import { webServer } from '../notify/remote/support/web-server.ts';

const args = ['notify', 'test', '--json'];

describe('clifford notify test', () => {
  it('says what is off where there is no terminal, and that nothing was sent', async () => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    await writeConfig(join(root, 'clifford.json'), { notify: { bell: false } });
    const { code, out, err } = await clifford(args, { cwd: root });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const none = 'this is no terminal that may be written to';
    expect(JSON.parse(out)).toEqual([
      { channel: 'bell', outcome: 'off', said: 'switched off' },
      { channel: 'desktop', outcome: 'off', said: none },
      { channel: 'title', outcome: 'off', said: none },
      { channel: 'progress', outcome: 'off', said: none },
    ]);
  });

  it('calls at a terminal in every way', async () => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    const { kill, exited, bytes } = openPty(process.execPath, [cliFile, 'notify', 'test'], {
      cwd: root,
      env: { TERM_PROGRAM: 'ghostty', TMUX: '', KITTY_WINDOW_ID: '' },
    });
    onTestFinished(kill);
    expect(await exited).toBe(0);
    expect(await readSignals(bytes())).toMatchObject({
      bells: 1,
      notifications: [expect.stringMatching(/^777;notify;Clifford · test/)],
      titles: ['shell', '? 1 · test', '', 'shell'],
      progress: ['4;50', '0;0'],
    });
  });
});

describe('a program of yours', () => {
  /** A configuration of the user's own that has a program, and a project. */
  async function projectWith(command: readonly string[]) {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    const env = { XDG_STATE_HOME: join(root, 'state'), CLIFFORD_CONFIG: join(await tempRoot(), 'own.json') };
    const write = (argv: readonly string[]) =>
      writeConfig(env.CLIFFORD_CONFIG, {
        notify: { channels: { mine: { via: 'command', command: argv } } },
      });
    await write(command);
    return { root, env, write, place: { cwd: root, env } };
  }

  it('is run once a person has trusted it, in whichever file it stands, and as it was then', async () => {
    const { root, write, place } = await projectWith(['sh', '-c', 'cat >> told']);
    const off = await clifford(['notify', 'test', 'mine'], place);
    expect(off).toMatchObject({ code: 1, out: expect.stringContaining('you have not trusted it yet') });
    const shown = await clifford(['notify', 'trust', '--yes'], place);
    expect(shown.out).toContain('command: ["sh","-c","cat >> told"] (');
    const sent = await clifford(['notify', 'test', 'mine', '--json'], place);
    expect(JSON.parse(sent.out)).toEqual([
      { channel: 'mine', outcome: 'sent', said: 'command: sh ended with exit code 0' },
    ]);
    const told = (await readFile(join(root, 'told'), 'utf8')).trim().split('\n');
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'test' }]);
    await write(['touch', 'bad']);
    const changed = await clifford(['notify', 'test', 'mine'], place);
    expect(changed).toMatchObject({ code: 1, out: expect.stringContaining('it has changed since') });
    expect(existsSync(join(root, 'bad'))).toBe(false);
  });

  it('fails in words, and is run by no agent', async () => {
    const { root, env, place } = await projectWith(['sh', '-c', 'touch ran; echo no bus; exit 3']);
    await clifford(['notify', 'trust', '--yes'], place);
    const asAgent = await clifford(args, { cwd: root, env: { ...env, CLIFFORD_RUN_ID: 'run-1' } });
    expect(JSON.parse(asAgent.out)).toContainEqual({
      channel: 'mine',
      outcome: 'off',
      said: 'not sent: an agent may be asking for it',
    });
    expect(existsSync(join(root, 'ran'))).toBe(false);
    const { code, out } = await clifford(['notify', 'test', 'mine'], place);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringMatching(/^mine +command: sh ended with exit code 3: no bus$/m),
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
