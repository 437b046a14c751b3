import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLogOption } from '../../src/cli/input/log-option.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const url = 'nats://127.0.0.1:1/team';

describe('--log', () => {
  it.each([[['--log', url, 'status']], [['status', '--log', url]], [[`--log=${url}`, 'status']]])(
    'is taken wherever it stands: %j',
    (argv) => {
      const env = { A: '1', CLIFFORD_LOG: url };
      expect(takeLogOption(argv, { A: '1' })).toEqual({ argv: ['status'], env });
    },
  );

  it('leaves what stands behind -- and the option of policy test', () => {
    for (const argv of [
      ['ask', '--', '--log', url],
      ['policy', 'test', '--log'],
      ['policy', 'test', '--log', '--json'],
    ])
      expect(takeLogOption(argv, {})).toEqual({ argv, env: {} });
    expect(takeLogOption(['--log', url, 'policy', 'test', '--log'], {}).argv).toEqual([
      'policy',
      'test',
      '--log',
    ]);
  });

  it.each([['--log'], ['--log', 'events.jsonl'], ['--log='], ['--log', 'nats://u:p@host/x']])(
    'says what is wrong with %j %s',
    async (...option) => {
      const { code, err } = await clifford(['status', ...option], { cwd: await tempRoot() });
      expect(code).toBe(2);
      expect(err).toContain('Cannot find a log at ');
      expect(err).not.toContain('u:p');
    },
  );

  it('names the server that a command cannot reach', async () => {
    const { code, err } = await clifford(['status', '--log', url], { cwd: await tempRoot() });
    expect(code).toBe(1);
    expect(err).toBe(
      `clifford: Cannot connect to ${url}: connection refused\n  Bring the server back, or the way to it, then try again\n`,
    );
  });
});

describe('the log of an agent whose server is away', () => {
  it('is waited for, until somebody ends that; that of another project is not', async () => {
    const [cwd, other, state] = await Promise.all([tempRoot(), tempRoot(), tempRoot()]);
    for (const root of [cwd, other])
      await writeConfig(join(root, 'clifford.json'), { log: { url: 'nats://127.0.0.1:1/team' } });
    const XDG_STATE_HOME = state;
    expect((await clifford(['projects', 'add', other], { cwd, env: { XDG_STATE_HOME } })).code).toBe(0);
    const attempt = { CLIFFORD_RUN_ID: 'run-1', CURRENT_SPRINT_DIR: await writeSprint(cwd) };
    const place = { cwd, env: { ...attempt, XDG_STATE_HOME, CLIFFORD_PROJECT_ROOT: cwd } };
    const ask = ['ask', 'Which port?'];
    const waiting = startClifford(ask, place);
    await waiting.warned(/Cannot connect to .*; this waits until it is back/);
    const elsewhere = await startClifford([...ask, '--project', other], place).ended;
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringMatching(/^clifford: Cannot connect to /) });
    expect(waiting.isAlive()).toBe(true);
    waiting.kill('SIGINT');
    expect(await waiting.ended).toMatchObject({ signal: 'SIGINT' });
  });

  it('is waited for no longer than --wait says', async () => {
    const cwd = await tempRoot();
    const env = { CLIFFORD_RUN_ID: 'run-1', CLIFFORD_LOG: url };
    const refused = { code: 1, out: '', err: expect.stringMatching(/^clifford: Cannot connect to /) };
    expect(await startClifford(['ask', 'Which port?', '--wait', '0'], { cwd, env }).ended).toMatchObject(
      refused,
    );
    const { code, err } = await startClifford(['ask', 'Which port?', '--wait', '1'], { cwd, env }).ended;
    expect(code).toBe(1);
    expect(err).toContain('this waits until it is back, or the time is over\nclifford: Cannot connect to ');
  });

  it('is waited for where the folder of the sprint is said from the root, wherever the agent is', async () => {
    const [root, cwd] = await Promise.all([tempRoot(), tempRoot()]);
    await writeSprint(root);
    const env = {
      CLIFFORD_RUN_ID: 'run-1',
      CURRENT_SPRINT_DIR: 'sprints/demo',
      CLIFFORD_PROJECT_ROOT: root,
      CLIFFORD_LOG: url,
    };
    const waiting = startClifford(['ask', 'Which port?'], { cwd, env });
    await waiting.warned(/Cannot connect to .*; this waits until it is back/);
    expect(waiting.isAlive()).toBe(true);
  });
});

describe('clifford doctor --log', () => {
  it('means the log of the project, or the one at a URL behind it; before the command it is the option of all', () => {
    const env = { CLIFFORD_LOG: url };
    expect(takeLogOption(['doctor', '--log'], {})).toEqual({ argv: ['doctor', '--log'], env: {} });
    expect(takeLogOption(['doctor', '--log', '--json'], {}).argv).toEqual(['doctor', '--log', '--json']);
    expect(takeLogOption(['doctor', '--log', url], {})).toEqual({ argv: ['doctor', '--log'], env });
    expect(takeLogOption(['--log', url, 'doctor'], {})).toEqual({ argv: ['doctor'], env });
  });

  it('looks at the disk where the log is in the file, and names a server that cannot be reached', async () => {
    const cwd = await tempRoot();
    const { code, out } = await clifford(['doctor', '--log', '--json'], { cwd });
    const { checks } = JSON.parse(out) as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).toEqual([
      'project',
      'space',
      'disk',
      'lock',
      'notification',
      'log',
    ]);
    expect(code).toBe(0);
    const away = await clifford(['doctor', '--log', url], { cwd });
    expect(away.code).toBe(1);
    expect(away.out).toContain(`Cannot connect to ${url}: connection refused`);
  });
});
