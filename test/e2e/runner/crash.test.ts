import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { allGone } from '../../../src/lib/processes/terminate.ts';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import {
  acpSprint,
  completeByTool,
  done,
  human,
  ofType,
  openCall,
  type AcpSprint,
} from '../../runner/support/acp-sprint.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';

/** Leaves one line each time it runs. */
const step = { run: 'echo ran >> ran' };

async function expectAskedAndRunOnce({ root, project }: AcpSprint): Promise<void> {
  const events = await eventsOf(project);
  expect(ofType(events, 'help.requested')).toHaveLength(1);
  expect(ofType(events, 'tool.allowed').filter(({ data }) => data.by === 'ann')).toHaveLength(1);
  expect(await readFile(join(root, 'ran'), 'utf8')).toBe('ran\n');
  expect(await processesOf(root, '')).toEqual([]);
}

describeOnEachEngine('crashes', () => {
  it('a call that a killed runner had asked about is allowed meanwhile: it is asked once, and runs once', async () => {
    const sprint = await acpSprint([step, completeByTool]);
    const { root, project, stateDir } = sprint;
    const runner = spawn(process.execPath, [fixtureProgram('run-sprint.ts'), stateDir, ''], {
      stdio: 'ignore',
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    const id = await openCall(project);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await approve(project, id, { ...human, scope: 'once' });
    expect(await startRun(root, {}).ended).toEqual(done);
    await expectAskedAndRunOnce(sprint);
  });

  it('a call that a killed agent had asked about is allowed meanwhile: the next attempt takes the answer', async () => {
    const sprint = await acpSprint([step]);
    const { root, project } = sprint;
    const { ended } = startRun(root, { maxAttempts: 2 });
    const id = await openCall(project);
    const [started] = ofType(await eventsOf(project), 'agent.started');
    const pid = started?.data.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    expect(await allGone([pid], 10_000)).toBe(true);
    await approve(project, id, { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    await expectAskedAndRunOnce(sprint);
  });

  it('a run that is stopped while its agent asks leaves the question open, and no process', async () => {
    const sprint = await acpSprint([step]);
    const { root, project } = sprint;
    const run = startRun(root, {});
    const id = await openCall(project);
    await run.runner.stop();
    expect(await run.ended).toMatchObject({ outcome: 'stopped' });
    expect(await processesOf(root, '')).toEqual([]);
    expect(project.state.streams.get('demo')?.requests.get(id)?.phase).toBe('open');
    const { ended } = startRun(root, {});
    await approve(project, id, { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    await expectAskedAndRunOnce(sprint);
  });
});
