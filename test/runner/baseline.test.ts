import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { allGone } from '../../src/lib/processes/terminate.ts';
import { pauseSprint, resumeSprint, skipTask } from '../../src/workflow/sprint/control.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { agentCmd, eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';
import { untilFile } from '../helpers/until-file.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const me = { stream: 'demo', by: 'me' };
const runnerProgram = fixtureProgram('run-sprint.ts');

/** Says its pid in the file `pid` and stays, the first time; from then on it succeeds. */
const stayOnce = `sh -c 'test -f stayed && exit 0; touch stayed; echo $$ >pid.tmp; mv pid.tmp pid; exec sleep 600'`;

async function verifying(verify: string[], tasks = ['a']) {
  const made = await freshSprint({ tasks, manifest: { verify } });
  return { ...made, run: () => startRun(made.root, { agentCmd: agentHere('complete'), sprint: 'demo' }) };
}

const baselines = async (project: Project) =>
  (await eventsOf(project))
    .filter((event): event is StoredEvent<'verify.returned'> => event.type === 'verify.returned')
    .map(({ subject, data: { command, code, baseline } }) => ({ subject, command, code, baseline }));

const baseline = true;

describe('before the first attempt at a task', () => {
  it('its commands are run once, all of them, and recorded; the attempt begins after that', async () => {
    const { root, project, run } = await verifying(['false', 'true'], ['a', 'b']);
    expect(await run().ended).toEqual(done);
    // How the files were is kept for commits only.
    expect(existsSync(join(root, '.clifford', 'before'))).toBe(false);
    expect(await baselines(project)).toEqual([
      { subject: 'demo/a', command: 'false', code: 1, baseline },
      { subject: 'demo/a', command: 'true', code: 0, baseline },
      { subject: 'demo/b', command: 'false', code: 1, baseline },
      { subject: 'demo/b', command: 'true', code: 0, baseline },
    ]);
    const order = (await typesOf(project)).filter((type) => /^(verify|task)\./.test(type));
    const perTask = ['verify.returned', 'verify.returned', 'task.started', 'task.completed'];
    expect(order).toEqual([...perTask, ...perTask]);
    expect((await project.refresh()).streams.get('demo')?.tasks.get('a')?.baseline).toEqual([
      { command: 'false', code: 1 },
      { command: 'true', code: 0 },
    ]);
  });

  it('they are run, not before the second one, and again after a reset', async () => {
    const { root, project } = await verifying(['true']);
    const failing = { agentCmd: agentCmd('give-up'), maxAttempts: 2 };
    expect(await startRun(root, failing).ended).toMatchObject({ outcome: 'failed' });
    expect((await typesOf(project)).filter((type) => type === 'task.started')).toHaveLength(2);
    expect(await baselines(project)).toHaveLength(1);
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await baselines(project)).toHaveLength(2);
  });

  it('Ctrl-C ends them at once: nothing is left, nothing is recorded, and the next run begins anew', async () => {
    const { root, project, run } = await verifying([stayOnce]);
    const { runner, ended } = run();
    const pid = Number(await untilFile(join(root, 'pid')));
    await runner.stop('Ctrl-C');
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    expect(await allGone([pid], 0)).toBe(true);
    expect(await typesOf(project)).toEqual(['sprint.created', 'sprint.started', 'runner.left']);

    expect(await run().ended).toEqual(done);
    expect(await baselines(project)).toMatchObject([{ code: 0 }]);
  });

  it('skipping the task ends them, and the next one begins', async () => {
    const { root, project, run } = await verifying([stayOnce], ['a', 'b']);
    const { ended } = run();
    const pid = Number(await untilFile(join(root, 'pid')));
    await skipTask(project, { ...me, taskId: 'a' });
    expect(await ended).toEqual({ ...done, reason: 'no task is left' });
    expect(await allGone([pid], 0)).toBe(true);
    expect(await baselines(project)).toMatchObject([{ subject: 'demo/b', code: 0 }]);
  });

  it('pausing the sprint ends them, and they are run again when it goes on', async () => {
    const { root, project, run } = await verifying([stayOnce]);
    const { ended } = run();
    const pid = Number(await untilFile(join(root, 'pid')));
    await pauseSprint(project, me);
    expect(await allGone([pid], 15_000)).toBe(true);
    expect(await typesOf(project)).not.toContain('task.started');
    await resumeSprint(project, me);
    expect(await ended).toEqual(done);
    expect(await baselines(project)).toMatchObject([{ code: 0 }]);
  });

  it.runIf(hasProcessTable)(
    'a runner that is killed leaves them: the next one ends them and begins anew',
    async () => {
      const { root, project, stateDir, run } = await verifying([stayOnce]);
      const killed = spawn(process.execPath, [runnerProgram, stateDir, agentHere('complete')], {
        stdio: 'ignore',
      });
      const pid = Number(await untilFile(join(root, 'pid')));
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      expect(await allGone([pid], 0)).toBe(false);
      expect(await run().ended).toEqual(done);
      expect(await allGone([pid], 0)).toBe(true);
      expect(await baselines(project)).toMatchObject([{ code: 0 }]);
    },
  );
});

it('an agent that breaks what was fine is told so, mends it, and is done', async () => {
  vi.stubEnv('MENDER_SERVER', join(import.meta.dirname, '../../dist/mcp-entry.js'));
  const fine = `sh -c '! test -f broken'`;
  const { root, project } = await verifying([fine, 'false']);
  const { ended, text } = startRun(root, { agentCmd: agentCmd('mcp-mender') });
  expect(await ended).toEqual(done);
  expect(text()).toContain(`\`${fine}\` ended with exit code 1; it succeeded before this task`);
  const verdicts = (await eventsOf(project)).map(({ data }) => 'verdict' in data && data.verdict);
  expect(verdicts.filter(Boolean)).toEqual(['regressed', 'clean', 'broken-before']);
});
