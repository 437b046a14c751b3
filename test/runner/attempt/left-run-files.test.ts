import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeLeftRunFiles, removeRunFiles } from '../../../src/runner/attempt/left-run-files.ts';
import { runDir, RunFiles, runsDir } from '../../../src/runner/attempt/run-files.ts';
import { allGone, terminate } from '../../../src/lib/processes/terminate.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { freshSprint, startRun } from '../../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** A program of the tests in a process of its own, once it has said something, and what that was. */
async function startProgram(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => kill(child));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  if (child.pid === undefined) throw new Error('it did not start');
  return { child, pid: child.pid, said: said.toString() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const sleep = ['-e', "setInterval(() => {}, 60_000); console.log('up')"];

/** Of no other run here: an agent of that would be taken for one of this, whose variable it has. */
const runId = `run-${randomUUID()}`;

/** A project in which somebody has the files of this run, for an agent with this pid. */
async function ownedRun(agentPid: number) {
  const stateDir = join(await tempRoot(), '.clifford');
  const owner = fixtureProgram('processes/run-files-owner.ts');
  const { child } = await startProgram([owner, runDir(stateDir, runId), String(agentPid)]);
  const swept = async () => {
    expect(removeLeftRunFiles(stateDir)).toEqual([]);
    return readdir(runsDir(stateDir));
  };
  return { owner: child, swept };
}

const all = [runId, `${runId}.lock`];

describe('the files of a run', () => {
  it('stay while their owner lives, whatever became of the agent, and are removed when it was killed', async () => {
    const agent = await startProgram(sleep);
    const { owner, swept } = await ownedRun(agent.pid);
    await kill(agent.child);
    expect(await swept()).toEqual(all);
    await kill(owner);
    expect(await swept()).toEqual([]);
  });

  it.each([
    ['is known by its identity', {}],
    ['is known by its variable', { CLIFFORD_RUN_ID: runId }],
  ])('stay while an agent lives that has outlived its runner and %s', async (_how, env) => {
    const agent = await startProgram(sleep, env);
    const { owner, swept } = await ownedRun('CLIFFORD_RUN_ID' in env ? 4_194_305 : agent.pid);
    await kill(owner);
    expect(await swept()).toEqual(all);
    await kill(agent.child);
    expect(await swept()).toEqual([]);
  });

  it('are gone without a trace when their owner removes them', async () => {
    const stateDir = join(await tempRoot(), '.clifford');
    const files = new RunFiles(runDir(stateDir, runId));
    expect(removeLeftRunFiles(stateDir)).toEqual([]);
    files.write({ files: [{ path: join(runDir(stateDir, runId), 'mcp.json'), text: '{}' }] });
    expect(removeLeftRunFiles(stateDir)).toEqual([]);
    expect(await readdir(runsDir(stateDir))).toEqual(all);
    files.remove();
    expect(await readdir(runsDir(stateDir))).toEqual([]);
  });

  it('of a sprint whose runner was killed are removed by the run of another, once its agent is gone', async () => {
    const { root, stateDir } = await freshSprint();
    await writeSprint(root, { id: 'second', tasks: ['a'] });
    await writeSprint(root, { id: 'third', tasks: ['a'] });
    const killed = await startProgram([
      fixtureProgram('run-sprint.ts'),
      stateDir,
      agentHere('hang-first', '{mcpConfig}'),
      'demo',
    ]);
    const agent = Number(/ready (\d+)/.exec(killed.said)?.[1]);
    onTestFinished(() => terminate([-agent]));
    await kill(killed.child);
    const left = await readdir(runsDir(stateDir));
    expect(left).toEqual([expect.stringMatching(/^run-[^.]+$/), expect.stringMatching(/\.lock$/)]);
    // Where no variables of processes can be seen, this tells who needs the files.
    const needed = await readFile(join(runsDir(stateDir), left[1] ?? ''), 'utf8');
    expect(JSON.parse(needed)).toMatchObject({ pid: agent });

    const another = agentHere('complete');
    expect(await startRun(root, { sprint: 'second', agentCmd: another }).ended).toEqual(done);
    expect(await allGone([agent], 0)).toBe(false);
    expect(await readdir(runsDir(stateDir))).toEqual(left);

    await terminate([-agent]);
    expect(await startRun(root, { sprint: 'third', agentCmd: another }).ended).toEqual(done);
    expect(await readdir(runsDir(stateDir))).toEqual([]);
  });
});

it('files that no run has made stay, wherever a link leads', async () => {
  const stateDir = await tempRoot();
  await mkdir(join(stateDir, 'users/run-1'), { recursive: true });
  await symlink('users', runsDir(stateDir));
  expect(removeLeftRunFiles(stateDir)).toEqual([]);
  expect(removeRunFiles(stateDir, 'run-1')).toEqual([]);
  expect(await readdir(join(stateDir, 'users'))).toEqual(['run-1']);

  await mkdir(join(stateDir, 'own/runs/src'), { recursive: true });
  await writeFile(join(stateDir, 'own/runs/run-1'), 'a file');
  expect(removeLeftRunFiles(join(stateDir, 'own'))).toEqual([]);
  expect(await readdir(join(stateDir, 'own/runs'))).toEqual(['run-1', 'src']);
});

it.each(['../users', '../../users', '/users', '.', '', 'run-1/../../users'])(
  'files stay of a run that a log calls %j',
  async (runId) => {
    const stateDir = join(await tempRoot(), '.clifford');
    for (const dir of ['users', '.clifford/users', '.clifford/runs/run-1'])
      await mkdir(join(stateDir, '..', dir), { recursive: true });
    expect(removeRunFiles(stateDir, runId)).toEqual([]);
    expect((await readdir(join(stateDir, '..'))).toSorted()).toEqual(['.clifford', 'users']);
    expect((await readdir(stateDir)).toSorted()).toEqual(['runs', 'users']);
    expect(await readdir(runsDir(stateDir))).toEqual(['run-1']);
  },
);

it('a folder that cannot be looked into is told of', async () => {
  const tooLong = join(await tempRoot(), 'x'.repeat(300));
  expect(removeLeftRunFiles(tooLong)).toEqual([expect.stringMatching(/^Cannot look in .*: ENAMETOOLONG/)]);
});

it('run files that cannot all be written are not there at all, and that is no bug', async () => {
  const stateDir = await tempRoot();
  const dir = runDir(stateDir, 'run-1');
  const files = ['one', 'x'.repeat(300)].map((name) => ({ path: join(dir, name), text: '' }));
  // Once: a second try would clear away what the first one left.
  expect(() => new RunFiles(dir).write({ files })).toThrow(
    expect.objectContaining({
      code: 'RUN_FILES_INACCESSIBLE',
      message: `Cannot write ${dir}: the system says ENAMETOOLONG`,
    }),
  );
  expect(await readdir(runsDir(stateDir))).toEqual([]);
});
