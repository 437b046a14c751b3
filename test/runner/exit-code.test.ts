import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { allGone } from '../../src/lib/processes/terminate.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';
import { untilFile } from '../helpers/until-file.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const runnerProgram = join(import.meta.dirname, '../fixtures/run-sprint.ts');

/** Agents that know nothing of Clifford: they do their work, or do not, and end. */
const works = `sh -c 'cat >/dev/null; touch made'`;
const idles = `sh -c 'cat >/dev/null'`;
const verify = ['test -f made'];
const exits = { done: 'exit-0', verify };

async function sprintOf(manifest: object, config?: object) {
  const made = await freshSprint({ manifest });
  if (config) await writeFile(join(made.root, 'clifford.json'), JSON.stringify(config));
  return made;
}

async function dataOf<T extends EventType>(project: Project, type: T) {
  const events = await eventsOf(project);
  const isWanted = (event: StoredEvent): event is StoredEvent<T> => event.type === type;
  return events.filter(isWanted).map(({ data }): StoredEvent<T>['data'] => data);
}

describe('an agent that only ends', () => {
  it('completes its task with exit code 0 when the commands succeed that verify it: the runner says so', async () => {
    const { root, project } = await sprintOf(exits);
    expect(await startRun(root, { agentCmd: works }).ended).toEqual(done);
    expect((await typesOf(project)).slice(2)).toEqual([
      'verify.returned',
      'task.started',
      'agent.started',
      'agent.exited',
      'verify.returned',
      'task.completed',
      'sprint.completed',
    ]);
    expect(await dataOf(project, 'task.completed')).toEqual([{ by: 'clifford' }]);
    expect(await dataOf(project, 'task.started')).toMatchObject([{ done: 'exit-0' }]);
    expect((await dataOf(project, 'verify.returned')).map(({ verdict }) => verdict)).toEqual([
      undefined,
      'fixed',
    ]);
  });

  it('may be one by its name in the configuration, or by its task', async () => {
    const agents = { quiet: { command: works, done: 'exit-0' } };
    const byName = await sprintOf({ verify }, { agent: 'quiet', agents });
    expect(await startRun(byName.root, {}).ended).toEqual(done);
    const tasks = [{ id: 'a', file: 'a.md', done: 'exit-0', verify }];
    const byTask = await sprintOf({ tasks });
    expect(await startRun(byTask.root, { agentCmd: works }).ended).toEqual(done);
  });

  it('may still say itself that it is done', async () => {
    const { root, project } = await sprintOf({ done: 'exit-0', verify: ['true'] });
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    const [started] = await dataOf(project, 'agent.started');
    expect(await dataOf(project, 'task.completed')).toEqual([{ by: started?.runId, runId: started?.runId }]);
  });

  it('is not ended because it does not connect to Clifford', async () => {
    const limits = { connect: 50, exit: 100 };
    const patient = `sh -c 'sleep 0.3; touch made' {mcpConfig} {prompt}`;
    const { root, project } = await sprintOf(exits, { limits });
    expect(await startRun(root, { agentCmd: patient }).ended).toEqual(done);
    expect(await dataOf(project, 'agent.exited')).toMatchObject([{ code: 0 }]);
  });

  it('has failed when a command fails, also one that failed before: the next attempt is told why', async () => {
    const { root, project } = await sprintOf(exits);
    const reason =
      'Cannot complete task a: `test -f made` ended with exit code 1; it failed before this task, too, and has to succeed';
    const lazy = `sh -c 'cat >prompt.tmp; test -f prompt && touch made; mv prompt.tmp prompt'`;
    expect(await startRun(root, { agentCmd: lazy, maxAttempts: 2 }).ended).toEqual(done);
    expect(await dataOf(project, 'task.retried')).toEqual([{ attempt: 2, delayMs: 10, reason }]);
    expect(await untilFile(join(root, 'prompt'))).toContain(`The attempt before this one failed: ${reason}`);
    const again = await sprintOf(exits);
    expect(await startRun(again.root, { agentCmd: idles }).ended).toEqual({
      outcome: 'failed',
      reason: `task a failed: ${reason}`,
    });
  });

  it.each([
    ['another exit code', `sh -c 'cat >/dev/null; touch made; exit 3'`, 'the agent exited with code 3'],
    ['a signal', `sh -c 'cat >/dev/null; touch made; kill -KILL $$'`, 'the agent was ended by SIGKILL'],
  ])('completes nothing with %s', async (_, command, reason) => {
    const { root, project } = await sprintOf(exits);
    expect(await startRun(root, { agentCmd: command }).ended).toEqual({
      outcome: 'failed',
      reason: `task a failed: ${reason}`,
    });
    expect(await dataOf(project, 'verify.returned')).toHaveLength(1);
  });

  it('completes nothing with an error that it reported last, whatever its exit code', async () => {
    const agents = { quiet: { command: `cat refused.jsonl`, output: 'codex', done: 'exit-0' } };
    const { root } = await sprintOf({ verify: ['true'] }, { agent: 'quiet', agents });
    const refused = { type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized' } };
    await writeFile(join(root, 'refused.jsonl'), `${JSON.stringify(refused)}\n`);
    expect(await startRun(root, {}).ended).toMatchObject({ outcome: 'failed' });
  });

  it('needs commands that verify its task', async () => {
    const { root } = await sprintOf({ done: 'exit-0' });
    await expect(startRun(root, { agentCmd: works }).ended).rejects.toMatchObject({
      code: 'DONE_UNVERIFIED',
      recovery: 'fix-input',
      message:
        'Cannot run task a: "done" is exit-0 for it, and it has no "verify": an exit code alone completes nothing',
    });
  });
});

describe('while the work is verified', () => {
  /** Ends at once before the work, and stays after it until the file `go` is there. */
  const slow = `sh -c 'test -f made || exit 1; test -f go && exit 0; echo $$ >pid.tmp; mv pid.tmp pid; exec sleep 600'`;
  const slowly = { done: 'exit-0', verify: [slow] };

  it('Ctrl-C ends it, and the next run verifies the work again instead of doing it again', async () => {
    const { root, project } = await sprintOf(slowly);
    const { runner, ended } = startRun(root, { agentCmd: works });
    const pid = Number(await untilFile(join(root, 'pid')));
    await runner.stop('Ctrl-C');
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    expect(await allGone([pid], 0)).toBe(true);
    await writeFile(join(root, 'go'), '');
    expect(await startRun(root, { agentCmd: works }).ended).toEqual(done);
    expect(await dataOf(project, 'agent.started')).toHaveLength(1);
  });

  it('skipping the task ends it', async () => {
    const { root, project } = await sprintOf(slowly);
    const { ended } = startRun(root, { agentCmd: works });
    const pid = Number(await untilFile(join(root, 'pid')));
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'a' });
    expect(await ended).toEqual({ outcome: 'completed', reason: 'no task is left' });
    expect(await allGone([pid], 0)).toBe(true);
  });

  it.runIf(hasProcessTable)('a runner that is killed leaves it to the next one', async () => {
    const { root, project, stateDir } = await sprintOf(slowly);
    const killed = spawn(process.execPath, [runnerProgram, stateDir, works], { stdio: 'ignore' });
    const pid = Number(await untilFile(join(root, 'pid')));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await writeFile(join(root, 'go'), '');
    expect(await startRun(root, { agentCmd: works }).ended).toEqual(done);
    expect(await allGone([pid], 0)).toBe(true);
    expect(await dataOf(project, 'agent.started')).toHaveLength(1);
  });

  it('other commands than those of the attempt verify nothing', async () => {
    const { root, project } = await sprintOf({ done: 'exit-0' }, { verify: [slow] });
    const { runner, ended } = startRun(root, { agentCmd: works });
    await untilFile(join(root, 'pid'));
    await runner.stop('Ctrl-C');
    await ended;
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify: ['true'] }));
    expect(await startRun(root, { agentCmd: works, maxAttempts: 2 }).ended).toEqual(done);
    expect(await dataOf(project, 'task.retried')).toMatchObject([
      { reason: 'the commands that verify it have changed since its attempt began' },
    ]);
  });
});
