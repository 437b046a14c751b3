import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pauseSprint, resumeSprint, skipTask } from '../../../src/workflow/sprint/control.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { agentCmd, eventsOf, recorded, startRun, taskBecomes, typesOf } from '../../helpers/sprint-run.ts';
import { acpSprint, done, human, ofType, openCall, type AcpSprint } from '../../runner/support/acp-sprint.ts';

/** Leaves one line each time it runs. */
const step = { run: 'echo ran >> ran' };
/** 0.3 s. */
const parkAfter = 0.005;
const me = { stream: 'demo', by: 'ann' };

/** A sprint whose agent is parked soon when its call waits. */
const sprintWithParking = () => acpSprint([step], undefined, { parkAfter });

/** Its agent was parked and is gone, the call is open. */
async function isParked({ root, project }: AcpSprint): Promise<void> {
  await recorded(project, 'agent.parked');
  await recorded(project, 'agent.exited');
  expect(await processesOf(root, '')).toEqual([]);
}

/** A run whose agent was parked while its call waits. */
async function parkedRun() {
  const sprint = await sprintWithParking();
  const run = startRun(sprint.root, {});
  const id = await openCall(sprint.project);
  await isParked(sprint);
  return { ...sprint, run, id };
}

const allow = (project: Project, id: string) => approve(project, id, { ...human, scope: 'once' });

/** The command ran once, by one yes to one question, in two attempts of which none has failed. */
async function expectRunOnce({ root, project }: AcpSprint): Promise<void> {
  const events = await eventsOf(project);
  expect(ofType(events, 'help.requested')).toHaveLength(1);
  expect(ofType(events, 'tool.allowed').filter(({ data }) => data.by === 'ann')).toHaveLength(1);
  expect(ofType(events, 'task.started')).toHaveLength(2);
  expect(ofType(events, 'task.retried')).toEqual([]);
  expect(await readFile(join(root, 'ran'), 'utf8')).toBe('ran\n');
  expect(await processesOf(root, '')).toEqual([]);
}

describeOnEachEngine('an agent that waits for a permission for long', () => {
  it('is parked, and goes on with its session and the yes; no attempt is burned', async () => {
    const sprint = await parkedRun();
    const { project, run, id, prompts } = sprint;
    await allow(project, id);
    expect(await run.ended).toEqual(done);
    await expectRunOnce(sprint);
    const events = await eventsOf(project);
    const [parked] = ofType(events, 'agent.parked');
    const [first, second] = ofType(events, 'agent.started');
    expect(parked?.data).toMatchObject({ runId: first?.data.runId, sessionId: 'session-1' });
    expect(parked?.data.waitedMs).toBeGreaterThanOrEqual(300);
    expect(ofType(events, 'agent.exited')[0]?.data.reason).toBe('parked');
    expect(ofType(events, 'agent.resumed').map(({ data }) => data)).toEqual([
      { runId: second?.data.runId, parkedMs: expect.any(Number), sessionId: 'session-1' },
    ]);
    expect(await prompts()).toHaveLength(2);
    expect(run.text()).toContain('[clifford: parked: the answer starts it again]');
  });

  it('uses no yes that comes when the log says so already: the session that goes on does', async () => {
    const sprint = await acpSprint([step]);
    const { root, project } = sprint;
    const { ended } = startRun(root, {});
    const requestId = await openCall(project);
    const [agent] = ofType(await eventsOf(project), 'agent.started');
    const { runId = '' } = agent?.data ?? {};
    const yes = { response: 'yes', verdict: 'approved', scope: 'once' } as const;
    await project.dispatch('demo', () => [
      { type: 'agent.parked', subject: 'demo/a', data: { runId, waitedMs: 1 } },
      { type: 'help.answered', subject: 'demo/a', data: { requestId, ...yes, ...human } },
    ]);
    expect(await ended).toEqual(done);
    await expectRunOnce(sprint);
  });

  it('uses no yes while it is being ended: the session that goes on does', async () => {
    const sprint = await sprintWithParking();
    const { root, project } = sprint;
    const { ended } = startRun(root, {});
    const id = await openCall(project);
    await recorded(project, 'agent.parked');
    await allow(project, id);
    expect(await ended).toEqual(done);
    await expectRunOnce(sprint);
  });

  it.each([
    [
      'denied',
      (project: Project, id: string) => deny(project, id, { ...human, reason: 'not here' }),
      'not here',
    ],
    [
      'dismissed',
      (project: Project, id: string) => dismissRequest(project, id, human),
      'did not allow this call',
    ],
  ])('goes on without the call that is %s', async (_, close, said) => {
    const { root, project, run, id, prompts } = await parkedRun();
    await close(project, id);
    expect(await run.ended).toEqual(done);
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect((await prompts()).at(-1)).toContain(said);
    const types = await typesOf(project);
    expect(types.filter((type) => type === 'help.requested')).toHaveLength(1);
    expect(types).toContain('agent.resumed');
    expect(types).not.toContain('task.retried');
  });

  it.each([
    ['whose runner was killed', isParked],
    [
      'whose runner was killed before it could end it',
      ({ project }: AcpSprint) => recorded(project, 'agent.parked'),
    ],
  ])('%s stays parked, and a later run goes on with the answer that came meanwhile', async (_, until) => {
    const sprint = await sprintWithParking();
    const { root, project, stateDir } = sprint;
    const runner = spawn(process.execPath, [fixtureProgram('run-sprint.ts'), stateDir, ''], {
      stdio: 'ignore',
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    const id = await openCall(project);
    await until(sprint);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    const { runner: waiting, ended } = startRun(root, {});
    await once(waiting, 'halt');
    await waiting.stop();
    expect(await ended).toMatchObject({ outcome: 'stopped' });
    // Of a runner that was killed it ends by itself.
    await expect.poll(() => processesOf(root, '')).toEqual([]);
    await allow(project, id);
    expect(await startRun(root, {}).ended).toEqual(done);
    await expectRunOnce(sprint);
    expect(await typesOf(project)).toContain('agent.resumed');
  });

  it('stays parked while its sprint is paused', async () => {
    const sprint = await parkedRun();
    const { project, run, id } = sprint;
    const isPaused = once(run.runner, 'paused');
    await pauseSprint(project, me);
    await isPaused;
    await allow(project, id);
    await resumeSprint(project, me);
    expect(await run.ended).toEqual(done);
    await expectRunOnce(sprint);
    const types = await typesOf(project);
    expect(types.lastIndexOf('task.started')).toBeGreaterThan(types.indexOf('sprint.resumed'));
  });

  it('is not started again when its task is skipped', async () => {
    const { root, project, run, id } = await parkedRun();
    await skipTask(project, { ...me, taskId: 'a' });
    expect(await run.ended).toMatchObject({ outcome: 'completed' });
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(project.state.streams.get('demo')?.requests.get(id)?.phase).toBe('dismissed');
    expect(await typesOf(project)).not.toContain('agent.resumed');
  });

  it('that waits for two answers stays parked until it has both', async () => {
    const sprint = await acpSprint([step], undefined, { parkAfter: 4 * parkAfter });
    const { root, project } = sprint;
    const run = startRun(root, {});
    const id = await openCall(project);
    const runId = ofType(await eventsOf(project), 'agent.started')[0]?.data.runId ?? '';
    const agent = { id: runId, runId, client: 'fake' };
    const other = await ask(project, {
      stream: 'demo',
      task: 'a',
      kind: 'help',
      question: 'Which port?',
      agent,
    });
    await isParked(sprint);
    await allow(project, id);
    await taskBecomes(project, 'blocked.question');
    expect(await processesOf(root, '')).toEqual([]);
    await answerRequest(project, other.id, { ...human, response: '8080' });
    expect(await run.ended).toEqual(done);
    expect(ofType(await eventsOf(project), 'agent.parked')).toHaveLength(1);
    expect(ofType(await eventsOf(project), 'agent.started')).toHaveLength(2);
  });
});

describeOnEachEngine('an agent of which nobody knows that it goes on with its session', () => {
  it('is parked only where that is said for it', async () => {
    const sprint = await acpSprint([step]);
    const { root, project, dir } = sprint;
    await writeFile(join(dir, 'b.md'), '# Task b\n');
    const tasks = [
      { id: 'a', file: 'a.md', agent: 'fake' },
      { id: 'b', file: 'b.md', agent: 'other' },
    ];
    const fake = { command: agentCmd('acp-agent'), via: 'acp' };
    const agents = { fake, other: { ...fake, parkAfter: 2 * parkAfter } };
    await writeFile(join(dir, 'manifest.json'), JSON.stringify({ id: 'demo', tasks }));
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ parkAfter, agents }));
    const { runner } = startRun(root, {});
    await taskBecomes(project, 'blocked.approval', 'a');
    await recorded(project, 'agent.parked');
    await recorded(project, 'agent.exited');
    const parked = ofType(await eventsOf(project), 'agent.parked');
    expect(parked.map(({ subject }) => subject)).toEqual(['demo/b']);
    expect(await processesOf(root, 'acp-agent')).toHaveLength(1);
    await runner.stop();
  });
});
