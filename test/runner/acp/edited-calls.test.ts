import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { acpSprint, done, human, ofType, openCall } from '../support/acp-sprint.ts';

const other = { ...human, args: { command: 'touch other' } };
const steps = [{ run: 'touch made' }, { run: 'touch other' }];

describe('a command of an agent that a human has changed', () => {
  it('is refused, the agent is told which to run instead, and that one runs unasked, once', async () => {
    const { root, project, has, prompts } = await acpSprint([...steps, { run: 'touch other' }]);
    const { ended } = startRun(root, {});
    const id = await openCall(project);
    await approveEdited(project, id, other);
    // The same once more is another call.
    await project.until(({ streams }) => (streams.get('demo')?.requests.size === 2 ? true : undefined));
    expect(has('made')).toBe(false);
    expect(has('other')).toBe(true);
    const again = await openCall(project);
    expect(requestById(project.state, again)?.asked).toMatchObject({
      follows: id,
      approval: { args: { command: 'touch other' } },
    });
    await approveEdited(project, again, { ...human, args: { command: 'true' } });
    expect(await ended).toEqual(done);

    const told = (await prompts())[1] ?? '';
    expect(told).toContain(JSON.stringify(JSON.stringify({ command: 'touch other' })).slice(1, -1));
    expect(told).toContain('Do what is said there');
    const events = await eventsOf(project);
    const own = ofType(events, 'tool.requested').filter(({ data }) => data.server === '@fake');
    expect(ofType(events, 'tool.allowed').map(({ data }) => data)).toEqual([
      { callId: own[1]?.data.callId, by: 'ann', requestId: id },
    ]);
    expect(ofType(events, 'tool.denied').map(({ data }) => data)).toEqual([
      { callId: own[0]?.data.callId, by: 'ann', requestId: id },
      { callId: own[2]?.data.callId, by: 'ann', requestId: again },
    ]);
  });

  it('is asked about again as it was, and when the other one differs', async () => {
    const { root, project, has } = await acpSprint([...steps.slice(0, 1), { run: 'touch other; true' }]);
    const { ended } = startRun(root, {});
    const id = await openCall(project);
    await approveEdited(project, id, other);
    await project.until(({ streams }) => (streams.get('demo')?.requests.size === 2 ? true : undefined));
    const next = requestById(project.state, await openCall(project));
    expect(next?.asked.approval?.args).toEqual({ command: 'touch other; true' });
    await approveEdited(project, next?.id ?? '', { ...human, args: { command: 'true' } });
    expect(await ended).toEqual(done);
    expect(has('other')).toBe(false);
  });

  it('does not run where a rule denies what it has become', async () => {
    const { root, project, has, prompts } = await acpSprint(steps, {
      agents: { rules: [{ command: { startsWith: 'touch other' }, decision: 'deny' }] },
    });
    const { ended } = startRun(root, {});
    await approveEdited(project, await openCall(project), other);
    expect(await ended).toEqual(done);
    expect([has('made'), has('other')]).toEqual([false, false]);
    expect((await prompts()).at(-1)).toContain('agents.rules[0]');
    expect(ofType(await eventsOf(project), 'tool.allowed')).toEqual([]);
  });

  it('and whose runner was killed, is refused to the next attempt, and the other one runs unasked', async () => {
    const { root, project, stateDir, has } = await acpSprint(steps);
    const runner = spawn(process.execPath, [fixtureProgram('run-sprint.ts'), stateDir, ''], {
      stdio: 'ignore',
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    const id = await openCall(project);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await approveEdited(project, id, other);
    expect(await startRun(root, {}).ended).toEqual(done);
    expect([has('made'), has('other')]).toEqual([false, true]);
    const events = await eventsOf(project);
    expect(ofType(events, 'help.requested')).toHaveLength(1);
    expect(ofType(events, 'tool.allowed').map(({ data }) => data.requestId)).toEqual([id]);
  });
});
