import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { counter, type Metric } from '../../src/metrics/metric.ts';
import { serveMetrics } from '../../src/metrics/serve-metrics.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { fact } from '../helpers/facts.ts';
import { scrape, valuesIn } from '../helpers/scraped.ts';
import { openTestProject, projectWithSprint } from '../helpers/temp-project.ts';

const agent = { id: 'a1', client: 'codex' };

/** A project with three tasks, the second of which waits for the first, and its metrics. */
async function measured(more?: () => readonly Metric[]) {
  const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md`, status: 'pending' }));
  const manifest = { tasks: tasks.map((task) => (task.id === 'b' ? { ...task, dependsOn: ['a'] } : task)) };
  const { root, project, stream } = await projectWithSprint({ tasks: ['a', 'b', 'c'], manifest });
  let isAlive = true;
  const server = await serveMetrics({
    project,
    isAlive: () => isAlive,
    version: '1.2.3',
    host: '127.0.0.1',
    port: 0,
    more,
  });
  onTestFinished(() => server.close());
  const values = async () => Object.fromEntries(valuesIn((await scrape(`${server.url}/metrics`)).text));
  const kill = () => (isAlive = false);
  return { root, project, stream, server, values, kill };
}

it('says how many sprints, tasks and requests are in each state, also where none is', async () => {
  const { project, stream, values } = await measured();
  expect(await values()).toMatchObject({
    'clifford_build_info{version="1.2.3"}': 1,
    clifford_log_readable: 1,
    'clifford_sprints{state="pending"}': 1,
    'clifford_tasks{state="pending"}': 3,
    'clifford_tasks{state="blocked"}': 0,
    clifford_tasks_ready: 2,
    'clifford_requests_open{kind="help"}': 0,
    clifford_oldest_request_seconds: 0,
  });
  await setTaskStatus(project, { stream, taskId: 'a', status: 'active', agent });
  await setTaskStatus(project, { stream, taskId: 'a', status: 'completed', agent });
  await ask(project, { stream, task: 'c', agent, kind: 'help', question: 'Which secret port?', options: [] });
  const asked = await values();
  expect(asked).toMatchObject({
    'clifford_sprints{state="active"}': 0,
    'clifford_sprints{state="blocked"}': 1,
    'clifford_tasks{state="pending"}': 1,
    'clifford_tasks{state="blocked"}': 1,
    'clifford_tasks{state="done"}': 1,
    clifford_tasks_ready: 1,
    'clifford_requests_open{kind="help"}': 1,
  });
  expect(asked['clifford_oldest_request_seconds']).toBeGreaterThan(0);
  const [open] = [...(project.state.streams.get(stream)?.requests.keys() ?? [])];
  await answerRequest(project, open ?? '', { response: '80', by: 'ann', via: 'cli' });
  expect(await values()).toMatchObject({
    'clifford_requests_open{kind="help"}': 0,
    clifford_oldest_request_seconds: 0,
  });
});

it('counts the agents whose processes live', async () => {
  const { project, stream, values, kill } = await measured();
  expect(await values()).toMatchObject({ clifford_agents_alive: 0 });
  await setTaskStatus(project, { stream, taskId: 'a', status: 'active', agent });
  await project.record(stream, [{ subject: `${stream}/a`, ...fact('agent.started') }]);
  expect(await values()).toMatchObject({ clifford_agents_alive: 1 });
  kill();
  expect(await values()).toMatchObject({ clifford_agents_alive: 0 });
});

it('counts events by whomever, and the appends of this process with how long they took', async () => {
  const { root, project, stream, values } = await measured();
  const other = await openTestProject(root);
  const before = await values();
  await setTaskStatus(project, { stream, taskId: 'a', status: 'active', agent });
  const appended = await values();
  const increase = (after: typeof before, name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect(increase(appended, 'clifford_events_appended_total')).toBeGreaterThan(0);
  expect(increase(appended, 'clifford_appends_total{outcome="stored"}')).toBe(1);
  expect(increase(appended, 'clifford_append_seconds_count')).toBe(1);
  expect(increase(appended, 'clifford_append_seconds_bucket{le="+Inf"}')).toBe(1);
  expect(increase(appended, 'clifford_append_seconds_sum')).toBeGreaterThan(0);
  const all = increase(appended, 'clifford_events_total');
  expect(all).toBe(increase(appended, 'clifford_events_appended_total'));
  expect(other).toBeDefined();
});

it('is asked for its health, and says why the log cannot be read', async () => {
  const { root, server, values } = await measured();
  expect(await scrape(`${server.url}/healthz`)).toMatchObject({ status: 200, text: 'ok\n' });
  await appendFile(join(root, '.clifford/events.jsonl'), '{"nothing":"of ours"}\n');
  await expect
    .poll(() => scrape(`${server.url}/healthz`))
    .toMatchObject({
      status: 503,
      text: expect.stringMatching(/^Cannot read .*events\.jsonl.*\n$/),
    });
  expect(await values()).toMatchObject({ clifford_log_readable: 0, 'clifford_tasks{state="pending"}': 3 });
});

it('tells what is in the queue: what waits, and what a worker has', async () => {
  const { project, stream, values } = await measured();
  await project.record(stream, [{ subject: stream, ...fact('job.added') }]);
  expect(await values()).toMatchObject({
    'clifford_queue_sprints{state="waiting"}': 1,
    'clifford_queue_sprints{state="held"}': 0,
  });
  await project.record(stream, [{ subject: stream, ...fact('job.taken') }]);
  expect(await values()).toMatchObject({
    'clifford_queue_sprints{state="waiting"}': 0,
    'clifford_queue_sprints{state="held"}': 1,
    clifford_queue_oldest_seconds: 0,
  });
});

it('has the words of nobody, what a process adds, and nothing at other addresses', async () => {
  const { project, stream, server } = await measured(() => [counter('queue_total', 'Queued.', 7)]);
  await ask(project, { stream, task: 'a', agent, kind: 'help', question: 'Is it hunter2?', options: [] });
  const { text, type } = await scrape(`${server.url}/metrics`);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('\nqueue_total 7\n');
  expect(text).not.toMatch(/hunter2|demo|codex/);
  expect(await scrape(`${server.url}/other`)).toMatchObject({ status: 404 });
  expect((await fetch(`${server.url}/metrics`, { method: 'POST' })).status).toBe(405);
});

it('names a port that another program has', async () => {
  const { project, server } = await measured();
  const port = Number(new URL(server.url).port);
  const taken = serveMetrics({ project, isAlive: () => true, version: '1', host: '127.0.0.1', port });
  await expect(taken).rejects.toMatchObject({ code: 'METRICS_UNSERVED' });
  await expect(taken).rejects.toThrow(`Cannot serve metrics at 127.0.0.1, port ${port}: it is in use`);
});
