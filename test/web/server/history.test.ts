import { expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { askApproval, deny } from '../../../src/workflow/requests/approval.ts';
import { ask as askPerson } from '../../../src/workflow/requests/ask.ts';
import { skipTask } from '../../../src/workflow/sprint/control.ts';
import { completeSprint } from '../../../src/workflow/sprint/complete-sprint.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import type { SentPath } from '../../../src/web/api/diagram.ts';
import { approval } from '../../helpers/approval.ts';
import { served } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';

async function withEvents(count: number) {
  const place = await served();
  const { project } = place;
  const start = project.state.streams.get('demo')?.version ?? 0;
  const notes = Array.from({ length: count }, (_, n) => ({
    type: 'task.noted' as const,
    subject: 'demo/a',
    data: { by: 'agent', text: `n${n}` },
  }));
  for (let from = 0; from < count; from += 500) await project.record('demo', notes.slice(from, from + 500));
  return { ...place, start };
}

it('gives out the newest events, and those from a version to another', async () => {
  const { ask, start } = await withEvents(1_500);
  const versionsOf = async (query: string) => {
    const { events, length } = (await ask(`/api/sprints/demo/events${query}`)).json() as {
      events: { version: number }[];
      length: number;
    };
    return [events[0]?.version, events.at(-1)?.version, events.length, length];
  };
  const length = start + 1_500;
  expect(await versionsOf('')).toEqual([length - 199, length, 200, length]);
  expect(await versionsOf('?from=1&to=3')).toEqual([1, 3, 3, length]);
  expect(await versionsOf('?from=1')).toEqual([length - 999, length, 1_000, length]);
  expect(await versionsOf(`?from=${length}`)).toEqual([length, length, 1, length]);
  expect(await versionsOf(`?to=${length + 50}&from=${length - 1}`)).toEqual([length - 1, length, 2, length]);
  expect((await ask('/api/sprints/demo/events?from=0')).status).toBe(400);
});

it('says of calls of its own tools what they are about, and not in which sprint, which is known', async () => {
  const { ask, project } = await served();
  const args = { sprintDir: '/home/ann/p/sprints/demo', taskId: 'a' };
  const call = { callId: 'c', tool: 'update_task_status', argsDigest: 'd', args };
  await project.record('demo', [
    { type: 'tool.requested', subject: 'demo/a', data: { ...call, server: 'clifford' } },
    { type: 'tool.requested', subject: 'demo/a', data: { ...call, server: 'fs' } },
  ]);
  const { events } = (await ask('/api/sprints/demo/events')).json() as {
    events: { title: string; text: string }[];
  };
  const [own, other] = events.slice(-2);
  expect(own).toMatchObject({ title: 'Call made', text: 'clifford/update_task_status a' });
  expect(other?.text).toContain('sprintDir: /home/ann/p/sprints/demo');
});

it('says all of a long command: who shows it cuts it', async () => {
  const { ask, project } = await served();
  const command = `printf '${'many words '.repeat(120)}' > notes.txt`;
  const call = { callId: 'c', server: '@codex', tool: 'execute', args: { command }, argsDigest: 'd' };
  await project.record('demo', [
    { type: 'tool.requested', subject: 'demo/a', data: call },
    { type: 'task.noted', subject: 'demo/a', data: { by: 'agent', text: command } },
  ]);
  const { events } = (await ask('/api/sprints/demo/events')).json() as { events: { text: string }[] };
  expect(events.slice(-2).map(({ text }) => text)).toEqual([command, expect.stringContaining(command)]);
});

it('says that an answer was delivered to the agent where that has no other name than its run', async () => {
  const { ask, project } = await served();
  const asked = { kind: 'help', task: 'a', question: 'Which one?' } as const;
  for (const to of ['run-01a21d7c-0000-7000-8000-000000000000', 'codex']) {
    const { id } = await askPerson(project, { stream: 'demo', agent: { id: to }, ...asked });
    await answerRequest(project, id, { response: 'This one', by: 'ann', via: 'cli' });
    await project.record('demo', [
      { type: 'help.delivered', subject: 'demo/a', data: { requestId: id, to } },
    ]);
  }
  const { events } = (await ask('/api/sprints/demo/events')).json() as {
    events: { type: string; text: string }[];
  };
  expect(events.filter(({ type }) => type === 'help.delivered').map(({ text }) => text)).toEqual([
    'to the agent',
    'to codex',
  ]);
});

it('has what is asked about a task that is done, and the answer, among the events of the task, live as well', async () => {
  const { ask, project, server } = await served();
  await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann', reason: 'later' });
  const reader = await readStream(server, '?sprint=demo');
  await expect.poll(() => reader.last('state')).toBeDefined();
  const asked = { kind: 'help', task: 'b', question: 'Merge b how?' } as const;
  const { id } = await askPerson(project, { stream: 'demo', agent: { id: 'clifford' }, ...asked });
  await answerRequest(project, id, { response: 'By hand', by: 'ann', via: 'cli' });
  const told = [
    ['help.requested', 'b'],
    ['help.answered', 'b'],
  ];
  const { events } = (await ask('/api/sprints/demo/events')).json() as {
    events: { type: string; task?: string }[];
  };
  expect(events.slice(-2).map(({ type, task }) => [type, task])).toEqual(told);
  await expect.poll(() => reader.all('events').map(({ type, task }) => [type, task])).toEqual(told);
});

it('shows a sprint as it was after each of its events, and what had changed', async () => {
  const { ask, project, start } = await withEvents(3);
  await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann', reason: 'later' });
  const length = start + 4;
  const history = (await ask('/api/sprints/demo/history')).json();
  expect(history).toMatchObject({ sprint: 'demo', length });
  expect(history['playedMs']).toHaveLength(length);
  expect(history['scale']).toEqual([
    [1, history['firstAt']],
    ...Array.from({ length: length - 2 }, (_, at) => [at + 2, expect.any(String)]),
    [length, history['lastAt']],
  ]);
  expect(history['marks']).toContainEqual([length, 'steered']);

  const last = (await ask(`/api/sprints/demo/history/${length}`)).json();
  expect(last).toMatchObject({
    event: { version: length, type: 'task.skipped', task: 'b' },
    changes: [expect.stringMatching(/^b is skipped: .*\(was pending\)$/)],
    sprint: {
      acts: [],
      tasks: [
        { id: 'a', title: 'Task a', acts: [] },
        { id: 'b', detail: 'skipped' },
      ],
    },
  });
  const before = (await ask(`/api/sprints/demo/history/${length - 1}`)).json();
  expect(before).toMatchObject({
    nextMark: length,
    changes: [],
    sprint: { tasks: [{}, { id: 'b', state: 'pending' }] },
  });
  expect((await ask(`/api/sprints/demo/history/${length + 1}`)).status).toBe(404);
});

it('says of a moment who was at work then, by the log of then', async () => {
  const { ask, project, start } = await withEvents(0);
  const runsAt = async (version: number) => {
    const { sprint } = (await ask(`/api/sprints/demo/history/${version}`)).json() as {
      sprint: { runs: object };
    };
    return sprint.runs;
  };
  const byHand = { stream: 'demo', taskId: 'a', agent: { id: 'editor' } };
  await setTaskStatus(project, { ...byHand, status: 'active' });
  await setTaskStatus(project, { ...byHand, status: 'completed' });
  expect(await runsAt(start)).toEqual({ is: 'not-started' });
  expect(await runsAt(start + 2)).toEqual({ is: 'by-hand' });
  expect(await runsAt(start + 3)).toEqual({ is: 'deserted' });

  const data = { runner: 'clifford 1, process 7' };
  const [subject, by] = ['demo/b', 'clifford'];
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { ...data, maxAttempts: 1 } },
    { type: 'task.started', subject, data: { attempt: 1, by, runId: 'run-1' } },
    { type: 'task.completed', subject, data: { by: 'agent', runId: 'run-1' } },
    { type: 'sprint.completed', subject: 'demo', data: { by } },
  ]);
  expect(await runsAt(start + 4)).toMatchObject({ is: 'running' });
  expect(await runsAt(start + 6)).toMatchObject({ is: 'running' });
  expect(await runsAt(start + 7)).toEqual({ is: 'over' });
});

it('gives each reader the moment that it asked for, however many move the slider at once', async () => {
  const { ask, start } = await withEvents(400);
  const wanted = Array.from({ length: 40 }, (_, n) => start + ((n * 97) % 400) + 1);
  const replies = await Promise.all(wanted.map((version) => ask(`/api/sprints/demo/history/${version}`)));
  expect(replies.map((reply) => (reply.json()['event'] as { version: number }).version)).toEqual(wanted);
});

it('shows the way of a task through its machine, by now and by then', async () => {
  const { ask, project, start } = await withEvents(1);
  await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann' });
  expect((await ask('/api/sprints/demo/path?task=b')).json()).toMatchObject({
    now: 'done.skipped',
    length: 1,
    steps: [{ from: 'pending', to: 'done.skipped', count: 1 }],
    titles: { 'task.skipped': 'Task skipped' },
  });
  expect((await ask(`/api/sprints/demo/path?task=b&until=${start}`)).json()).toMatchObject({
    now: 'pending',
    length: 0,
  });
  expect((await ask('/api/sprints/demo/path?task=none')).status).toBe(404);
});

it('shows the way of a sprint itself, by now and by then', async () => {
  const { ask, project } = await served();
  const way = async (query = '') => (await ask(`/api/sprints/demo/path${query}`)).json();
  expect(await way('?until=1')).toMatchObject({
    now: 'pending',
    steps: [{ from: 'absent', to: 'pending', event: 'sprint.created' }],
  });
  const data = { runner: 'r', maxAttempts: 1 };
  await project.record('demo', [{ type: 'sprint.started', subject: 'demo', data }]);
  for (const taskId of ['a', 'b']) await skipTask(project, { stream: 'demo', taskId, by: 'ann' });
  await completeSprint(project, { stream: 'demo', by: 'clifford' });
  expect(await way()).toMatchObject({
    now: 'done.completed',
    length: 3,
    steps: [
      { from: 'active.running', to: 'done.completed', event: 'sprint.completed' },
      { from: 'pending', to: 'active.running', event: 'sprint.started' },
      { from: 'absent', to: 'pending', event: 'sprint.created' },
    ],
    titles: { 'sprint.completed': 'Sprint completed' },
  });
});

it('says of a step of a sprint whether a call moved it', async () => {
  const { ask, project } = await served();
  const data = { runner: 'r', maxAttempts: 1 };
  await project.record('demo', [{ type: 'sprint.started', subject: 'demo', data }]);
  await skipTask(project, { stream: 'demo', taskId: 'a', by: 'ann' });
  const agent = { id: 'session-1' };
  await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
  const { id } = await askApproval(project, { stream: 'demo', taskId: 'b', agent, approval });
  await deny(project, id, { by: 'ben', via: 'cli' });
  const { steps } = (await ask('/api/sprints/demo/path')).json() as SentPath;
  expect(steps.slice(0, 2)).toMatchObject([
    { event: 'help.answered', isOfCall: true, from: 'blocked' },
    { event: 'help.requested', isOfCall: true, to: 'blocked' },
  ]);
});

it('gives out those events that stand out in some ways, however far they are from each other', async () => {
  const { ask, project } = await withEvents(1_500);
  const marked = async (query: string) => {
    const { events, hasOlder } = (await ask(`/api/sprints/demo/events?${query}`)).json() as {
      events: { version: number; type: string; mark?: string }[];
      hasOlder?: boolean;
    };
    return {
      types: events.map(({ type }) => type),
      versions: events.map(({ version }) => version),
      hasOlder,
    };
  };
  await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann' });
  const length = project.state.streams.get('demo')?.version ?? 0;
  expect(await marked('marks=steered')).toEqual({
    types: ['task.skipped'],
    versions: [length],
    hasOlder: false,
  });
  const both = await marked('marks=sprint,steered');
  expect(both.types).toEqual(['sprint.created', 'task.skipped']);
  expect(await marked(`marks=sprint,steered&to=${length - 1}`)).toMatchObject({ types: ['sprint.created'] });
  expect(await marked('marks=sprint,steered&from=2')).toMatchObject({
    types: ['task.skipped'],
    hasOlder: false,
  });
  expect(await marked('marks=failure')).toMatchObject({ types: [] });
  for (const wrong of ['', 'nothing', 'task,', 'task;task'])
    expect((await ask(`/api/sprints/demo/events?marks=${wrong}`)).status).toBe(400);
});

it('gives out 200 of those at once, the newest, and says that there are more', async () => {
  const { ask, project } = await served();
  const failures = Array.from({ length: 250 }, () => ({
    type: 'agent.stalled' as const,
    subject: 'demo/a',
    data: { runId: 'run-1', idleMs: 1 },
  }));
  await project.record('demo', failures);
  const page = async (query: string) => {
    const { events, hasOlder } = (await ask(`/api/sprints/demo/events?${query}`)).json() as {
      events: { version: number; mark: string }[];
      hasOlder: boolean;
    };
    return [events.length, events.at(-1)?.version, hasOlder];
  };
  const length = project.state.streams.get('demo')?.version ?? 0;
  const mark = (
    (await ask(`/api/sprints/demo/events?from=${length}`)).json()['events'] as { mark: string }[]
  )[0]?.mark;
  expect(await page(`marks=${mark}`)).toEqual([200, length, true]);
  expect(await page(`marks=${mark}&to=${length - 200}`)).toEqual([50, length - 200, false]);
  expect(await page(`marks=${mark}&around=${length - 150}`)).toEqual([200, length - 50, false]);
  expect(await page(`marks=${mark}&around=${length - 20}`)).toEqual([200, length, true]);
  expect((await page(`marks=${mark}&around=${length - 150}&to=${length - 100}`))[1]).toBe(length - 100);
});
