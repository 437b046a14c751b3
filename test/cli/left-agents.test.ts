import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { identify, isAlive } from '../../src/lib/processes/process-identity.ts';
import { terminate } from '../../src/lib/processes/terminate.ts';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { freshSprint, typesOf } from '../helpers/sprint-run.ts';

/** A sprint whose agent lives, and whose runner does not. */
async function leftAgent() {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  const sprint = await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'demo'));
  const [task] = sprint.tasks.values();
  if (!task) throw new Error('the sprint has no task');
  await project.dispatch('demo', () => startTask(sprint, task, { by: 'clifford', runId: 'run-1' }));
  const code = "setInterval(() => {}, 60_000); console.log('up')";
  const child = spawn(process.execPath, ['-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CLIFFORD_RUN_ID: 'run-1' },
  });
  await once(child.stdout, 'data');
  const { pid = 0 } = child;
  onTestFinished(() => terminate([-pid]));
  const agent = identify(pid);
  const data = { runId: 'run-1', attempt: 1, adapter: 'command', argv: ['agent'], ...agent };
  await project.record('demo', [{ type: 'agent.started', subject: 'demo/a', data }]);
  return { root, project, isAtWork: () => isAlive(agent) };
}

describeOnEachEngine('an agent whose runner is gone', () => {
  it.each([
    [['cancel', '--sprint', 'demo'], 'cancelled sprint demo\n'],
    [['cancel', 'a'], 'cancelled a of demo\n'],
    [['skip', 'a'], 'skipped a of demo\n'],
    [['stop', 'demo'], 'stopping demo: its agents end. To go on with it later: clifford run demo\n'],
  ])('clifford %j ends an agent whose runner is gone', async (args, out) => {
    const { root, project, isAtWork } = await leftAgent();
    const ended = await clifford(args, { cwd: root });
    expect(ended).toMatchObject({ code: 0, out });
    expect(ended.err).toContain('note: the agent of a was still at work without a runner: ended\n');
    expect(isAtWork()).toBe(false);
    expect(await typesOf(project)).toContain('agent.lost');
  });

  it.each([
    ['X', 'a is cancelled', '\r'],
    ['S', 'a is skipped', '\r'],
    ['C', 'The sprint is cancelled', '\r'],
    ['T', 'Stopping: its agents are ended', ''],
  ])('%s on the screen ends an agent whose runner is gone', async (key, said, reason) => {
    const { root, project, isAtWork } = await leftAgent();
    const screen = openClifford(['attach', 'demo'], { cwd: root, columns: 120, rows: 30 });
    await screen.see('a.md');
    screen.press(key);
    if (reason !== '') {
      await screen.see(/Enter (?:skip|cancel) it…/);
      screen.press(reason);
    }
    // Before that no yes counts.
    await screen.see(/ y (?:cancel|skip|stop) it/);
    screen.press('y');
    await screen.see('the agent of a was still at work without a runner: ended');
    expect(screen.lines().join('\n')).toContain(said);
    expect(isAtWork()).toBe(false);
    expect(await typesOf(project)).toContain('agent.lost');
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });

  it('clifford status and doctor say that an agent is at work without a runner, and what ends it', async () => {
    const { root, project } = await leftAgent();
    const status = await clifford(['status'], { cwd: root });
    expect(status.out).toMatch(/ a {2}idle {2}agent pid \d+ for .* without a runner\n/);
    const doctor = await clifford(['doctor'], { cwd: root });
    expect(doctor.out).toContain('! the agent of demo/a is at work without a runner\n');
    expect(doctor.out).toContain(
      'clifford stop demo ends it, clifford run demo ends it and goes on with the sprint',
    );
    await project.dispatch('demo', () => [{ type: 'job.added', subject: 'demo', data: { by: 'ada' } }]);
    expect((await clifford(['doctor'], { cwd: root })).out).toMatch(/ clifford stop demo ends it\n/);
    const stopped = await clifford(['stop'], { cwd: root });
    expect(stopped.out).toBe(
      'stopping demo: its agents end. The worker that takes it from the queue goes on\n',
    );
  });

  it('clifford skip leaves the agent of another task at work', async () => {
    const { root, isAtWork } = await leftAgent();
    expect(await clifford(['skip', 'b'], { cwd: root })).toMatchObject({ code: 0 });
    expect(isAtWork()).toBe(true);
  });

  it.each([
    ['y', 0, 'cancelled sprint demo'],
    ['n', 2, 'Nothing is cancelled: all of sprint demo would have been'],
  ])('clifford cancel asks a person who names neither task nor sprint: %s', async (answer, code, seen) => {
    const { root } = await freshSprint();
    const screen = openClifford(['cancel'], { cwd: root, columns: 100 });
    await screen.see('Cancel all of sprint demo, 1 task, for good? [y/N]');
    screen.press(`${answer}\r`);
    expect(await screen.exited).toBe(code);
    expect(screen.lines().join('\n')).toContain(seen);
  });
});
