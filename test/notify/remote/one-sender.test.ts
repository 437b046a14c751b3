import { describe, expect, it } from 'vitest';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { webServer } from './support/web-server.ts';

async function board(channel: object = {}) {
  const told: { title: string; request?: string }[] = [];
  const { url } = await webServer(({ body }) => {
    told.push(JSON.parse(body) as { title: string; request?: string });
    return {};
  });
  const called = await calledProject({
    notify: { channels: { board: { via: 'webhook', url, after: 0, ...channel } } },
  });
  return { told, ...called };
}

describe('of several processes that have the project open', () => {
  it('one calls; when it ends, another goes on, and tells nothing twice', async () => {
    const { told, begin, asks, project } = await board();
    const first = await begin();
    await begin();
    await begin();
    await asks('q-1');
    await expect.poll(() => told.length).toBe(1);
    await first.end();
    await asks('q-2');
    await expect.poll(() => told.map(({ request }) => request)).toEqual(['q-1', 'q-2']);
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
    expect(told).toHaveLength(2);
  });

  it('one that lacks the variables of a channel leaves it to one that has them, and calls through the others', async () => {
    const told: string[] = [];
    const { url } = await webServer(({ path }) => {
      told.push(path);
      return {};
    });
    const channel = { via: 'webhook', after: 0 };
    const { begin, asks, project } = await calledProject({
      notify: {
        channels: {
          board: { ...channel, url: `${url}/board`, secret: '${BOARD_SECRET}' },
          wall: { ...channel, url: `${url}/wall` },
        },
      },
      env: { BOARD_SECRET: 'a secret of the board' },
    });
    const without = await begin({ without: ['BOARD_SECRET'] });
    await asks('q-1');
    await expect.poll(() => told).toEqual(['/wall']);
    const withAll = await begin();
    await expect.poll(() => told).toEqual(['/wall', '/board']);
    await without.end();
    await asks('q-2');
    await expect.poll(() => told.toSorted()).toEqual(['/board', '/board', '/wall', '/wall']);
    await withAll.end();
    expect(told).toHaveLength(4);
    expect(await logged(project, 'notify.sent')).toHaveLength(4);
  });

  it('one that begins later tells what was not told, and no more', async () => {
    const { told, begin, asks, project } = await board();
    await asks('q-0');
    const first = await begin();
    await expect.poll(() => told.length).toBe(1);
    await first.end();
    await asks('q-1');
    await begin();
    await expect.poll(() => told.map(({ request }) => request)).toEqual(['q-0', 'q-1']);
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
  });

  it('what happens last is told before it ends', async () => {
    const { told, begin, project, stream } = await board({ what: ['end', 'failure'] });
    const { end } = await begin();
    await project.dispatch(stream, () => [
      { type: 'sprint.cancelled', subject: stream, data: { by: 'me', reason: 'no time' } },
    ]);
    await end();
    expect(told).toMatchObject([{ kind: 'cancelled', text: 'no time' }]);
    // Another one that begins afterwards knows that.
    const { end: endOther } = await begin();
    await endOther();
    expect(told).toHaveLength(1);
  });
});

it('a task that fails is told once, also after a restart, and so is one that fails while another is told', async () => {
  const told: { kind: string; title: string; text: string; task?: string }[] = [];
  const held = Promise.withResolvers<void>();
  const { url } = await webServer(async ({ body }) => {
    told.push(JSON.parse(body) as (typeof told)[number]);
    if (told.length === 1) await held.promise;
    return {};
  });
  const { begin, project, stream } = await calledProject({
    notify: { channels: { board: { via: 'webhook', url, what: ['failure'] } } },
  });
  const fails = (task: string, reason: string) =>
    project.dispatch(stream, () => [
      { type: 'task.failed', subject: `${stream}/${task}`, data: { reason, by: 'runner' } },
    ]);
  await project.dispatch(stream, () => [
    {
      type: 'sprint.amended',
      subject: stream,
      data: { tasks: ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` })) },
    },
  ]);
  const first = await begin();
  await fails('a', 'the tests fail');
  await expect.poll(() => told.length).toBe(1);
  await project.dispatch(stream, () => [
    { type: 'task.started', subject: `${stream}/b`, data: { attempt: 1, by: 'runner', runId: 'run-2' } },
  ]);
  await fails('b', 'it does not build');
  held.resolve();
  await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(2);
  await first.end();
  const { end } = await begin();
  await end();
  expect(told).toMatchObject([
    {
      kind: 'task-failed',
      title: 'Clifford · Sprint demo: a has failed, others go on',
      text: 'the tests fail',
      task: 'a',
    },
    { kind: 'task-failed', text: 'it does not build', task: 'b' },
  ]);
  expect(await logged(project, 'notify.sent')).toMatchObject([
    { about: 'task-failed', failures: [{ task: 'a', attempt: 1 }] },
    { about: 'task-failed', failures: [{ task: 'b', attempt: 1 }] },
  ]);
});

it('a service that does not answer holds up no end', async () => {
  const { url } = await webServer(() => new Promise(() => undefined));
  const { begin, asks, project } = await calledProject({
    notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
  });
  const { end } = await begin();
  await asks('q-1');
  const since = Date.now();
  await end();
  expect(Date.now() - since).toBeLessThan(5_000);
  expect(await logged(project, 'notify.sent')).toEqual([]);
});

describe('a channel that only calls', () => {
  it('tells a burst in one message', async () => {
    const { told, begin, asks } = await board();
    await asks('q-1');
    await asks('q-2', { question: 'And which cache?' });
    await begin();
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]?.title).toBe('Clifford · Sprint demo: 2 wait for you');
  });
});

describe('the next person', () => {
  /** Ada is told at once, Bob a second later. */
  async function adaThenBob() {
    const told: string[] = [];
    const { url } = await webServer(({ path }) => {
      told.push(path);
      return {};
    });
    const called = await calledProject({
      notify: {
        channels: {
          ada: { via: 'webhook', url: `${url}/ada`, after: 0 },
          bob: { via: 'webhook', url: `${url}/bob`, after: 1 },
        },
      },
    });
    return { told, ...called };
  }

  it('is called when the first one has not answered for so long', async () => {
    const { told, begin, asks } = await adaThenBob();
    await begin();
    await asks('q-1');
    await expect.poll(() => told).toEqual(['/ada']);
    await expect.poll(() => told, { timeout: 5_000 }).toEqual(['/ada', '/bob']);
  });

  it('is not where the first one has', async () => {
    const { told, begin, asks, project } = await adaThenBob();
    await begin();
    await asks('q-1');
    await expect.poll(() => told).toEqual(['/ada']);
    await answersInShell(project, 'q-1', 'Postgres');
    await asks('q-2');
    await expect.poll(() => told, { timeout: 5_000 }).toEqual(['/ada', '/ada', '/bob']);
    const sent = await logged(project, 'notify.sent');
    expect(sent).toMatchObject([
      { channel: 'ada', requests: ['q-1'] },
      { channel: 'ada', requests: ['q-2'] },
      { channel: 'bob', requests: ['q-2'] },
    ]);
  });
});
