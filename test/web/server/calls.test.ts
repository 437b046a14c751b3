import { expect, it } from 'vitest';
import { callsSchema, toolCallSchema } from '../../../src/web/api/tool-call.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { identify } from '../../../src/lib/processes/process-identity.ts';
import { on } from '../../helpers/history.ts';
import { served } from '../../helpers/web-server.ts';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** A call of the task `a`, or of another one. */
const made = (callId: string, over: object = {}, task = 'demo/a'): Candidate =>
  on(task, 'tool.requested', {
    callId,
    server: 'fs',
    tool: 'write_file',
    args: {},
    argsDigest: 'd',
    ...over,
  });

/** A project, and what its server tells of calls. */
async function asking() {
  const place = await served();
  const read = async (path: string, query: string) =>
    (await place.ask(`/api/sprints/demo/${path}?task=a${query}`)).json();
  return {
    ...place,
    version: () => place.project.state.streams.get('demo')?.version ?? 0,
    calls: async (query = '') => callsSchema.parse(await read('calls', query)),
    call: async (version: number, query = '') => toolCallSchema.parse(await read(`calls/${version}`, query)),
  };
}

it('lists what the agents of a task called, with how each stands, and no call of another task', async () => {
  const { project, calls } = await asking();
  expect(await calls()).toEqual({ calls: [], empty: 'No tool has been called yet' });
  await project.record('demo', [
    made('c-1', { args: { path: 'a.txt', content: 'x'.repeat(1_000) } }),
    on('demo/a', 'tool.returned', { callId: 'c-1', isError: false, durationMs: 5, bytes: 2 }),
    made('c-2', { server: '@codex', tool: 'execute', title: 'rm -rf build' }),
    on('demo/a', 'tool.denied', { callId: 'c-2', by: 'ada' }),
    made('c-3', { server: 'clifford', tool: 'ask_clarification' }),
    made('c-4', {}, 'demo/b'),
  ]);
  const listed = (await calls()).calls;
  expect(listed).toMatchObject([
    { server: 'fs', tool: 'write_file', standing: 'done' },
    { agent: 'codex', tool: 'execute', title: 'rm -rf build', standing: 'denied' },
    { tool: 'ask_clarification', standing: 'asks' },
  ]);
  expect(listed[0]?.args).toMatch(/^path: a\.txt, content: x+…$/);
  expect(listed[0]?.args.length).toBeLessThan(350);
});

it('says from where on they are listed where calls or events before them are left out', async () => {
  const { project, calls, version } = await asking();
  const begun = version();
  const many = Array.from({ length: 501 }, (_, at) => made(`c-${at}`));
  await project.record('demo', many.slice(1));
  expect(await calls()).not.toHaveProperty('leftOut');
  await project.record('demo', many.slice(0, 1));
  const { calls: listed, leftOut } = await calls();
  expect([listed.length, leftOut]).toEqual([500, `… before event ${begun + 2}: clifford replay demo`]);
  // No call is left out of these, but nobody has looked.
  await project.record(
    'demo',
    Array.from({ length: 5_000 }, (_, at) => made(`d-${at}`, {}, 'demo/b')),
  );
  await project.record('demo', [made('c-501')]);
  expect(await calls()).toMatchObject({
    calls: [{ standing: 'runs' }],
    leftOut: `… before event ${version() - 4_999}: clifford replay demo`,
  });
});

it('says of a call that waits for a human that it does, and what became of it later', async () => {
  const { project, calls, version } = await asking();
  await project.record('demo', [made('c-1', { args: approval.args })]);
  await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'a1', client: 'codex' },
    approval: { ...approval, callId: 'c-1' },
  });
  const waits = version();
  expect((await calls()).calls).toMatchObject([{ standing: 'waits' }]);
  await project.record('demo', [on('demo/a', 'tool.allowed', { callId: 'c-1', by: 'ada' })]);
  expect((await calls()).calls).toMatchObject([{ standing: 'runs' }]);
  expect((await calls(`&until=${waits}`)).calls).toMatchObject([{ standing: 'waits' }]);
  expect((await calls('&until=1')).calls).toEqual([]);
});

it('has what a call ran with where a human has changed it, its secrets masked, and what its agent made it with', async () => {
  const { project, calls, call, version } = await asking();
  await project.record('demo', [made('c-1', { args: approval.args })]);
  const at = version();
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'a1', client: 'codex' },
    approval: { ...approval, callId: 'c-1' },
  });
  const args = { path: 'notes.txt', old_string: 'hello', new_string: 'bye', password: 'hunter2hunter2' };
  await approveEdited(project, id, { args, by: 'ada', via: 'cli' });
  expect(await call(at)).not.toHaveProperty('ranWith');
  await project.record('demo', [on('demo/a', 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: id })]);
  const found = await call(at);
  expect(found).toMatchObject({
    standing: 'runs',
    args: approval.args,
    ranWith: { new_string: 'bye', password: '[masked, 14 characters]' },
    changes: [{ path: 'notes.txt' }],
  });
  expect((await calls()).calls[0]?.args).toContain('new_string: bye');
});

it('says of a call that ran when its agent ended that it ended, but not while a human is still asked', async () => {
  const { project, calls, call, version } = await asking();
  const runId = 'run-1';
  await project.record('demo', [
    made('c-1', { runId }),
    on('demo/a', 'tool.allowed', { callId: 'c-1', rule: 'rules[0]' }),
  ]);
  const ran = version() - 1;
  await project.record('demo', [made('c-2', { args: approval.args, runId })]);
  await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: runId },
    approval: { ...approval, callId: 'c-2' },
  });
  await project.record('demo', [
    made('c-3', { server: 'clifford', tool: 'ask_clarification', runId }),
    made('c-4', { runId: 'run-2' }),
  ]);
  const { id } = await ask(project, {
    stream: 'demo',
    task: 'a',
    agent: { id: runId },
    kind: 'clarification',
    question: 'Which?',
  });
  const before = version();
  const exit = { runId, code: 1, signal: null, durationMs: 5 };
  await project.record('demo', [on('demo/a', 'agent.exited', exit)]);
  const standings = async (query = '') => (await calls(query)).calls.map(({ standing }) => standing);
  expect(await standings()).toEqual(['ended', 'waits', 'asks', 'runs']);
  expect(await standings(`&until=${before}`)).toEqual(['runs', 'waits', 'asks', 'runs']);
  expect(await call(ran)).toMatchObject({ is: 'allowed', standing: 'ended', rule: 'rules[0]' });
  await answerRequest(project, id, { response: 'that', by: 'ada', via: 'cli' });
  expect(await standings()).toEqual(['ended', 'waits', 'ended', 'runs']);
});

it('says of a call whose agent was killed with its runner that it ended, which no event says', async () => {
  const { project, calls, version } = await asking();
  const begin = (agent: object) => [
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started'),
    on('demo/a', 'agent.started', { runId: 'run-1', ...agent }),
    made('c-1', { runId: 'run-1' }),
    on('demo/a', 'tool.allowed', { callId: 'c-1', rule: 'rules[0]' }),
  ];
  await project.record('demo', begin({}));
  expect((await calls()).calls).toMatchObject([{ standing: 'ended' }]);
  // Of the past the log alone is asked.
  expect((await calls(`&until=${version() - 1}`)).calls).toMatchObject([{ standing: 'runs' }]);
  const living = await asking();
  await living.project.record('demo', begin(identify(process.pid)));
  expect((await living.calls()).calls).toMatchObject([{ standing: 'runs' }]);
});

it('gives out one whole: its arguments without secrets, what it makes of files, and what came of it', async () => {
  const { project, root, call, version, ask } = await asking();
  const args = { path: `${root}/src/a.ts`, old_string: 'one\n', new_string: 'two\n', token };
  await project.record('demo', [made('c-1', { args, server: '@claude', tool: 'edit' })]);
  const at = version();
  await project.record('demo', [
    on('demo/a', 'tool.allowed', { callId: 'c-1', rule: 'rules[0]' }),
    on('demo/a', 'tool.returned', { callId: 'c-1', isError: true, durationMs: 5, bytes: 2 }),
  ]);
  const whole = await call(at);
  expect(whole).toMatchObject({
    standing: 'failed',
    rule: 'rules[0]',
    returned: { isError: true, durationMs: 5, bytes: 2 },
    changes: [{ path: 'src/a.ts', how: 'edit' }],
  });
  expect(JSON.stringify(whole)).not.toContain(token);
  expect(await call(at, `&until=${at}`)).toMatchObject({ standing: 'runs' });
  expect((await ask(`/api/sprints/demo/calls/${at + 1}?task=a`)).status).toBe(404);
  expect((await ask('/api/sprints/none/calls?task=a')).status).toBe(404);
});
