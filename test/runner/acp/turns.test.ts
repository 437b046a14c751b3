import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventsOf, freshSprint, startRun } from '../../helpers/sprint-run.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { acpSprint, done, human, ofType, openCall } from '../support/acp-sprint.ts';

/** The end of its turn completes the task. */
const counts = { done: 'exit-0', verify: ['true'] };

it('a turn that ends without a word on the task fails the attempt, which leaves no process', async () => {
  const { root, project } = await acpSprint([
    { tool: 'get_sprint_context', args: {} },
    { ends: true, stays: true },
  ]);
  const end = await startRun(root, { maxAttempts: 1 }).ended;
  expect(end).toMatchObject({ outcome: 'failed' });
  expect(end.reason).toContain('without completing the task');
  const [exited] = ofType(await eventsOf(project), 'agent.exited');
  expect(exited?.data).toMatchObject({ reason: 'turned' });
  expect(await processesOf(root, '')).toEqual([]);
});

it('what an agent writes to stderr is kept in its transcript, and in the reason when it fails', async () => {
  const { root, project } = await acpSprint([
    { says: 'I look.\n' },
    { logs: 'WARN no model' },
    { says: 'I go.\n' },
    { ends: true },
  ]);
  const { runner, ended } = startRun(root, { maxAttempts: 1 });
  let shown = '';
  runner.on('output', ({ text }) => (shown += text));
  expect((await ended).reason).toContain('WARN no model');
  expect(shown).toContain('I look.');
  expect(shown).toContain('I go.');
  expect(shown).not.toContain('WARN');
  const [started] = ofType(await eventsOf(project), 'agent.started');
  expect(await readFile(join(root, started?.data.transcript ?? ''), 'utf8')).toContain('WARN no model');
});

it('that a transcript cannot be written is said once, on a line of its own', async () => {
  const { root } = await acpSprint([{ says: 'I look.\n' }, { ends: true }], undefined, {}, counts);
  await writeFile(join(root, '.clifford/transcripts'), '');
  const { runner, ended } = startRun(root, { maxAttempts: 1 });
  let shown = '';
  runner.on('output', ({ text }) => (shown += text));
  expect(await ended).toEqual(done);
  expect(shown.match(/^\[clifford: the transcript cannot be written: .*\]$/gm)).toHaveLength(1);
  expect(shown).toContain('I look.\n');
  expect(shown).not.toMatch(/^$\n/m);
});

it('the end of its turn completes the task where that is to count, whether it exits or not', async () => {
  for (const step of [{ ends: true }, { ends: true, stays: true }]) {
    const { root } = await acpSprint([step], undefined, {}, counts);
    expect(await startRun(root, {}).ended).toEqual(done);
  }
});

it('the end of a turn that failed completes nothing', async () => {
  const fails = { fails: 'prompt', code: -32_603, message: 'the model has crashed' };
  const { root } = await acpSprint([fails], undefined, {}, counts);
  const end = await startRun(root, { maxAttempts: 1 }).ended;
  expect(end).toMatchObject({ outcome: 'failed' });
  expect(end.reason).toContain('the model has crashed');
});

it('an agent that nobody has logged in is not started again', async () => {
  const { root, project } = await acpSprint([
    { fails: 'initialize', code: -32_000, message: 'Log in first' },
  ]);
  const end = await startRun(root, { maxAttempts: 3 }).ended;
  expect(end).toMatchObject({ outcome: 'failed' });
  expect(end.reason).toContain('its provider rejected its credentials: Log in first');
  expect(ofType(await eventsOf(project), 'agent.started')).toHaveLength(1);
});

it('what an agent says last is heard, also without the end of its line', async () => {
  const { root } = await freshSprint();
  const agent = `process.stdin.once('data', (line) => {
    const error = { code: -32000, message: 'Log in first' };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, error }));
    process.stdin.destroy();
  })`;
  await writeFile(join(root, 'agent.cjs'), agent);
  const agentCmd = `"${process.execPath}" "${join(root, 'agent.cjs')}"`;
  const end = await startRun(root, { agentCmd, agentVia: 'acp' }).ended;
  expect(end.reason).toContain('its provider rejected its credentials: Log in first');
});

it('a usage limit is not taken for a failure', async () => {
  const fails = { fails: 'prompt', code: -32_603, message: 'You hit your usage limit, try again in 1h' };
  const { root, project } = await acpSprint([fails]);
  const { runner } = startRun(root, { maxAttempts: 1 });
  await project.until((state) => {
    const agent = state.streams.get('demo')?.tasks.get('a')?.agent;
    return agent?.end === undefined ? undefined : true;
  });
  await runner.stop();
  const events = await eventsOf(project);
  expect(ofType(events, 'agent.limited')).toHaveLength(1);
  expect(ofType(events, 'agent.exited').map(({ data }) => data.reason)).toEqual(['limited']);
  expect(ofType(events, 'task.failed')).toEqual([]);
});

it('a session that cannot be gone on with is followed by a new one', async () => {
  const fails = { fails: 'resume', code: -32_602, message: 'No such session' };
  const { root, project } = await acpSprint([{ run: 'touch made' }, fails]);
  const first = startRun(root, {});
  const id = await openCall(project);
  await first.runner.stop();
  await first.ended;
  await approve(project, id, { ...human, scope: 'once' });
  expect(await startRun(root, { maxAttempts: 1 }).ended).toEqual(done);
  const started = ofType(await eventsOf(project), 'agent.started').map(({ data }) => data.sessionId);
  expect(started).toEqual([undefined, 'session-1', undefined]);
});

it('an agent that closes its stdin and goes on printing ends its attempt only', async () => {
  const { root, project } = await acpSprint([{ ends: true, deaf: true }]);
  const end = await startRun(root, { maxAttempts: 1 }).ended;
  expect(end).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('task a failed') });
  expect(ofType(await eventsOf(project), 'agent.exited')).toHaveLength(1);
});
