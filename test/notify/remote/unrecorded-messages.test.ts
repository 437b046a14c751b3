import { describe, expect, it } from 'vitest';
import { logBusy } from '../../../src/events/jsonl/log-errors.ts';
import type { Timing } from '../../../src/notify/remote/timing.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { on } from '../../helpers/history.ts';
import { silentAbout } from '../../helpers/silent-log.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { answersInShell, calledProject, logged } from './support/called-project.ts';
import { withPhone } from './support/phone-project.ts';
import { webServer } from './support/web-server.ts';

/** `of`: only its events find no room. */
type FullLog = { isFull: boolean; readonly of?: string; tries?: number };

/** Takes nothing into its log, as long as that is full. */
function unwritable(own: Project, log: FullLog = { isFull: true }): Project {
  return {
    ...own,
    get state() {
      return own.state;
    },
    as: (source) => unwritable(own.as(source), log),
    record: (stream, facts) => {
      log.tries = (log.tries ?? 0) + 1;
      const hasRoom = !log.isFull || stream !== (log.of ?? stream);
      return hasRoom ? own.record(stream, facts) : Promise.reject(logBusy('events.jsonl', 9_000));
    },
  };
}

it('a message that the log does not take is sent once, and does not keep the next one from being sent', async () => {
  const log = { isFull: true, tries: 0 };
  const { server, project, problems, begin, asks } = await withPhone();
  await begin({ as: (own) => unwritable(own, log), timing: { recordMs: 60_000 } });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  await asks('q-2', { question: 'Which cache?' });
  await expect.poll(() => problems.length).toBe(2);
  expect(server.sent().map(({ text }) => /Which \w+\?/.exec(text ?? '')?.[0])).toEqual([
    'Which database?',
    'Which cache?',
  ]);
  expect(await logged(project, 'notify.sent')).toEqual([]);
  // It is tried again later.
  expect(log.tries).toBe(2);
});

it.each([
  ['meanwhile', {}, () => Promise.resolve()],
  ['when its process ends', { recordMs: 60_000 }, (end: () => Promise<void>) => end()],
])(
  'a message that the log does not take is recorded %s once it does, and told by nobody again',
  async (_when, timing, leave) => {
    const log = { isFull: true };
    const { server, project, problems, begin, asks } = await withPhone();
    const { end } = await begin({ as: (own) => unwritable(own, log), timing });
    await asks('q-1');
    await expect.poll(() => problems.length).toBe(1);
    log.isFull = false;
    await leave(end);
    await expect.poll(() => logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1'] }]);
    await end();
    const next = await begin();
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => server.sent()).toHaveLength(2);
    await next.end();
    expect(problems).toHaveLength(1);
    expect(await logged(project, 'notify.sent')).toHaveLength(2);
  },
);

it('a message that is recorded later has the time at which it was told', async () => {
  const log = { isFull: true };
  const { project, problems, begin, asks } = await withPhone();
  await begin({ as: (own) => unwritable(own, log) });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  const toldBefore = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(toldBefore);
  log.isFull = false;
  await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
  const [sent] = (await eventsOf(project)).filter((event) => event.type === 'notify.sent');
  expect(Date.parse(sent?.data.sentAt ?? '')).toBeLessThanOrEqual(toldBefore);
});

it('a message that is recorded when its process ends says how its question has ended', async () => {
  const log = { isFull: true };
  const { project, problems, begin, asks, edits } = await withPhone();
  const { end } = await begin({ as: (own) => unwritable(own, log), timing: { recordMs: 60_000 } });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  await answersInShell(project, 'q-1', 'Postgres');
  log.isFull = false;
  await end();
  expect(edits()).toHaveLength(1);
  expect(await logged(project, 'notify.settled')).toMatchObject([{ request: 'q-1' }]);
});

it('a message that the log does not take is reminded of', async () => {
  const { server, problems, begin, asks } = await withPhone({ remind: 1 });
  await begin({ as: (own) => unwritable(own) });
  await asks('q-1');
  await expect.poll(() => problems.length, { timeout: 5_000 }).toBe(2);
  expect(server.sent().map(({ text }) => /it has waited/.test(text ?? ''))).toEqual([false, true]);
});

it('a message that the log never takes nor refuses holds up no end', async () => {
  const { server, begin, asks } = await withPhone();
  const { promise: isRecording, resolve: records } = Promise.withResolvers<void>();
  const { end } = await begin({
    as: (own) => ({
      ...own,
      as: (source) => ({
        ...own.as(source),
        record: () => {
          records();
          return new Promise(() => undefined);
        },
      }),
    }),
  });
  await asks('q-1');
  await isRecording;
  await end();
  expect(server.sent()).toHaveLength(1);
});

it('a message of which the log cannot say whether it has it is recorded once', async () => {
  const { server, project, problems, begin, asks } = await withPhone();
  const { end } = await begin({ logAs: (log) => silentAbout('notify.sent', log) });
  await asks('q-1');
  await expect.poll(() => problems.length).toBe(1);
  await asks('q-2', { question: 'Which cache?' });
  await expect.poll(() => server.sent()).toHaveLength(2);
  await end();
  expect(await logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1'] }, { requests: ['q-2'] }]);
});

describe('a message that the log has not taken yet is not told again', () => {
  /** A board whose log takes nothing yet, and what it was told. */
  async function fullBoard(timing: Partial<Timing> = {}, of?: string) {
    const log: FullLog = { isFull: true, ...(of === undefined ? {} : { of }) };
    const told: { sprint?: string; request?: string; task?: string }[] = [];
    const { url } = await webServer(({ body }) => {
      told.push(JSON.parse(body) as (typeof told)[number]);
      return {};
    });
    const called = await calledProject({
      notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
    });
    const { end } = await called.begin({ as: (own) => unwritable(own, log), timing });
    return { log, told, ...called, end };
  }

  it('with what is asked then', async () => {
    const { log, told, project, problems, asks } = await fullBoard();
    await asks('q-1');
    await expect.poll(() => problems.length).toBe(1);
    await asks('q-2', { question: 'Which cache?' });
    await expect.poll(() => problems.length).toBe(2);
    expect(told.map(({ request }) => request)).toEqual(['q-1', 'q-2']);
    log.isFull = false;
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ requests: ['q-1'] }, { requests: ['q-2'] }]);
  });

  it('with what fails in another sprint', async () => {
    const { told, project, problems } = await fullBoard();
    for (const [at, sprint] of ['one', 'two'].entries()) {
      const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md` }));
      await project.record(sprint, [
        on(sprint, 'sprint.created', { tasks }),
        on(sprint, 'sprint.started'),
        on(`${sprint}/a`, 'task.started'),
        on(`${sprint}/a`, 'task.failed'),
      ]);
      await expect.poll(() => problems.length).toBe(at + 1);
    }
    expect(told.map(({ sprint, task }) => [sprint, task])).toEqual([
      ['one', 'a'],
      ['two', 'a'],
    ]);
  });

  it('and holds up nothing of another sprint', async () => {
    const { project, problems, asks } = await fullBoard({}, 'one');
    await project.record('one', [
      on('one', 'sprint.created', { tasks: ['a', 'b'].map((id) => ({ id, file: `${id}.md` })) }),
      on('one', 'sprint.started'),
      on('one/a', 'task.started'),
      on('one/a', 'task.failed'),
    ]);
    await expect.poll(() => problems.length).toBe(1);
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent')).toMatchObject([{ requests: ['q-1'] }]);
  });

  it('with what fails a second time', async () => {
    const { log, told, project, stream, problems, end } = await fullBoard({ recordMs: 60_000 });
    const task = `${stream}/a`;
    const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md` }));
    await project.record(stream, [on(stream, 'sprint.amended', { tasks }), on(task, 'task.failed')]);
    await expect.poll(() => problems.length).toBe(1);
    log.isFull = false;
    const again = [on(task, 'task.reset'), on(task, 'task.started', { attempt: 2 }), on(task, 'task.failed')];
    await project.record(stream, again);
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ failures: [{ task: 'a', attempt: 1 }] }, { failures: [{ task: 'a', attempt: 2 }] }]);
    await end();
    expect(told.map(({ task: id }) => id)).toEqual(['a', 'a']);
  });

  it('with what fails then', async () => {
    const { log, told, project, stream, problems } = await fullBoard();
    const begins = (task: string, runId: string) =>
      project.dispatch(stream, () => [
        { type: 'task.started', subject: `${stream}/${task}`, data: { attempt: 1, by: 'runner', runId } },
      ]);
    const fails = (task: string) =>
      project.dispatch(stream, () => [
        {
          type: 'task.failed',
          subject: `${stream}/${task}`,
          data: { reason: 'it does not build', by: 'runner' },
        },
      ]);
    const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` }));
    await project.dispatch(stream, () => [{ type: 'sprint.amended', subject: stream, data: { tasks } }]);
    await fails('a');
    await expect.poll(() => problems.length).toBe(1);
    await begins('b', 'run-2');
    await fails('b');
    await expect.poll(() => problems.length).toBe(2);
    expect(told.map(({ task }) => task)).toEqual(['a', 'b']);
    log.isFull = false;
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ failures: [{ task: 'a' }] }, { failures: [{ task: 'b' }] }]);
  });
});
