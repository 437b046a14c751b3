import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openJetStreamQueue } from '../../../src/events/jetstream/queue/jetstream-queue.ts';
import { lanes, type HeldJob, type Job, type JobQueue } from '../../../src/events/queue/job-queue.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';

const job = (sprint: string, more: Partial<Job> = {}): Job => ({
  sprint,
  needs: [],
  lane: 'next',
  by: 'ada',
  at: '2026-01-31T12:00:00.000Z',
  ...more,
});

const sprintsOf = (jobs: readonly Job[]) => jobs.map(({ sprint }) => sprint);

/** Takes a job that has to be there: a consumer may learn a moment after its acknowledgement of what was added. */
function taken(queue: JobQueue, labels: readonly string[] = []): Promise<HeldJob> {
  return vi.waitUntil(() => queue.take(labels), { timeout: 30_000 });
}

/** Has a job extended until the test is finished. */
function keptAlive(held: HeldJob): HeldJob {
  let saying: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void (saying = held.extend()), 200);
  onTestFinished(async () => {
    clearInterval(timer);
    await saying;
  });
  return held;
}

/** All that a queue hands out now. */
async function takeAll(queue: JobQueue): Promise<HeldJob[]> {
  const all: HeldJob[] = [];
  for (let job = await queue.take([]); job; job = await queue.take([])) all.push(job);
  return all;
}

describeWithNats('the queue on a server', (server) => {
  function queues() {
    const project = randomUUID();
    const name = `nats://${server.address}/${project}`;
    return async (deadlineMs = 30_000, way = server.address) => {
      const place = { project, name, servers: [way] };
      const queue = await openJetStreamQueue({ ...place, replicas: 1, deadlineMs });
      onTestFinished(() => queue.close());
      return queue;
    };
  }

  it('hands out sprints in the order in which they were added, each to one worker', async () => {
    const open = queues();
    const [one, other] = [await open(), await open()];
    for (const sprint of ['a', 'b', 'c']) await one.add(job(sprint));
    expect(sprintsOf(await other.list())).toEqual(['a', 'b', 'c']);
    expect(await taken(one)).toMatchObject({ ...job('a'), deadlineMs: 30_000 });
    expect(await taken(other)).toMatchObject({ sprint: 'b' });
    expect(await taken(one)).toMatchObject({ sprint: 'c' });
    expect(await other.take([])).toBeUndefined();
    expect(sprintsOf(await other.list())).toEqual(['a', 'b', 'c']);
  });

  it.each([{ max_msgs: 3 }, { max_age: 3_600_000_000_000 }])(
    'is not kept in a stream that somebody made with %o',
    async (limit) => {
      const project = randomUUID();
      await server.addStream({
        name: `clifford-jobs-${project}`,
        subjects: [`clifford.job.${project}.>`],
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.File,
        discard: DiscardPolicy.New,
        discard_new_per_subject: true,
        max_msgs_per_subject: 1,
        ...limit,
      });
      const place = { project, name: 'the log', servers: [server.address] };
      const opened = openJetStreamQueue({ ...place, replicas: 1, deadlineMs: 30_000 });
      const [key = ''] = Object.keys(limit);
      await expect(opened).rejects.toThrow(`does not hand each sprint to one worker: its ${key} is `);
    },
  );

  it('leaves to others what a worker does not want, and hands it what comes after that', async () => {
    const open = queues();
    const [one, other] = [await open(), await open()];
    for (const sprint of ['a', 'b']) await one.add(job(sprint));
    await (await taken(one)).giveBack();
    const isForOthers = ({ sprint }: Job) => sprint === 'a';
    expect(await one.take([], isForOthers)).toMatchObject({ sprint: 'b' });
    expect(await one.take([], isForOthers)).toBeUndefined();
    expect(await taken(other)).toMatchObject({ sprint: 'a' });
  });

  it('refuses a sprint that is in it already, whatever it needs now, and takes it again once it is over', async () => {
    const queue = await queues()();
    await queue.add(job('a', { needs: ['gpu'] }));
    const again = queue.add(job('a', { lane: 'last' }));
    await expect(again).rejects.toMatchObject({ code: 'SPRINT_QUEUED' });
    const held = await taken(queue, ['gpu']);
    await expect(queue.add(job('a'))).rejects.toMatchObject({ code: 'SPRINT_QUEUED' });
    await held.finish();
    await queue.add(job('a'));
    expect(sprintsOf(await queue.list())).toEqual(['a']);
  });

  it('lets one of two that add the same at once be first', async () => {
    const open = queues();
    const all = await Promise.all(Array.from({ length: 6 }, () => open()));
    const added = await Promise.allSettled(all.map((queue) => queue.add(job('a'))));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await taken(all[0] as JobQueue)).toMatchObject({ sprint: 'a' });
    expect(await all[1]?.take([])).toBeUndefined();
  });

  it('has it once, too, where each of them adds it to another place', async () => {
    const open = queues();
    const all = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (let round = 1; round <= 5; round += 1) {
      const sprint = `a${round}`;
      const place = (at: number) => ({
        lane: lanes[at % lanes.length] ?? 'next',
        needs: at < 3 ? [] : ['gpu'],
      });
      const added = await Promise.allSettled(all.map((queue, at) => queue.add(job(sprint, place(at)))));
      expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(sprintsOf((await all[0]?.list()) ?? []).filter((each) => each === sprint)).toEqual([sprint]);
    }
  });

  it('hands a sprint only to who has what it needs, first those that fewer can run', async () => {
    const queue = await queues()();
    await queue.add(job('any'));
    await queue.add(job('both', { needs: ['gpu', 'macos'] }));
    await queue.add(job('gpu', { needs: ['gpu'] }));
    expect(await taken(queue, ['macos'])).toMatchObject({ sprint: 'any' });
    expect(await queue.take(['macos'])).toBeUndefined();
    expect(await taken(queue, ['gpu', 'linux', 'macos'])).toMatchObject({ sprint: 'both' });
    expect(await taken(queue, ['gpu'])).toMatchObject({ sprint: 'gpu' });
  });

  it('takes those that were moved to the front first, and those at the end last', async () => {
    const queue = await queues()();
    for (const sprint of ['a', 'b', 'c', 'd']) await queue.add(job(sprint));
    await queue.move('c', 'first');
    await queue.move('a', 'last');
    await queue.move('b', 'next');
    expect(sprintsOf(await queue.list())).toEqual(['c', 'd', 'b', 'a']);
    for (const sprint of ['c', 'd', 'b', 'a']) expect(await taken(queue)).toMatchObject({ sprint });
    await expect(queue.move('e', 'first')).rejects.toMatchObject({ code: 'SPRINT_NOT_QUEUED' });
  });

  it('takes the name of a sprint for one sprint, and hands out nothing whose name is none', async () => {
    const open = queues();
    const queue = await open();
    await queue.add(job('a'));
    for (const name of ['*', '>', 'a.b', ''])
      await expect(queue.cancel(name)).rejects.toMatchObject({ code: 'SPRINT_NOT_QUEUED' });
    await expect(queue.move('*', 'first')).rejects.toMatchObject({ code: 'SPRINT_NOT_QUEUED' });
    expect(sprintsOf(await queue.list())).toEqual(['a']);
    await taken(queue);
    const { project } = queue.name.match(/(?<project>[^/]+)$/)?.groups ?? {};
    await server.publish(`clifford.job.${project}.next._./etc/x`, '{}');
    await queue.add(job('b'));
    expect(await taken(queue)).toMatchObject({ sprint: 'b' });
    expect(sprintsOf(await queue.list())).toEqual(['a', 'b']);
  });

  it('hands a sprint of which nothing is heard to another, and none that is extended', async () => {
    const open = queues();
    const [one, other] = [await open(1_000), await open(1_000)];
    await one.add(job('lost'));
    await one.add(job('held'));
    await taken(one);
    const held = await taken(one);
    keptAlive(held);
    await expect.poll(async () => (await other.take([]))?.sprint).toBe('lost');
    expect(await held.extend()).toBe('held');
    expect(await other.take([])).toBeUndefined();
  });

  it('waits for a worker as long as it was told, whoever adds others with less; and longer, where somebody says so', async () => {
    const open = queues();
    const [one, hasty, patient] = [await open(3_000), await open(1_000), await open(30_000)];
    await one.add(job('held'));
    await taken(one);
    await hasty.add(job('new'));
    expect(await taken(hasty)).toMatchObject({ sprint: 'new', deadlineMs: 3_000 });
    await pause(1_500);
    expect(await hasty.take([])).toBeUndefined();
    await patient.add(job('last'));
    expect(await taken(hasty)).toMatchObject({ sprint: 'last', deadlineMs: 30_000 });
  });

  it('waits shorter again where somebody says so, once no worker holds what it has by the longer time', async () => {
    const open = queues();
    const [patient, hasty] = [await open(30_000), await open(1_000)];
    await patient.add(job('held'));
    const held = await taken(patient);
    await hasty.add(job('new'));
    expect(await taken(hasty)).toMatchObject({ sprint: 'new', deadlineMs: 30_000 });
    for (const queue of [patient, hasty]) expect(await queue.take([])).toBeUndefined();
    await held.finish();
    await hasty.cancel('new');
    await hasty.add(job('later'));
    expect(await taken(hasty)).toMatchObject({ sprint: 'later', deadlineMs: 1_000 });
    expect(await vi.waitUntil(() => patient.take([]), { timeout: 5_000 })).toMatchObject({ sprint: 'later' });
  });

  it('waits as long as the longest deadline of what is in it, in whichever order it came there, also at once', async () => {
    const open = queues();
    const [patient, hasty] = [await open(30_000), await open(1_000)];
    await patient.add(job('waits'));
    await hasty.add(job('after', { by: 'bob' }));
    await hasty.move('after', 'last');
    await patient.move('waits', 'last');
    await hasty.move('after', 'next');
    expect(await taken(hasty)).toMatchObject({ sprint: 'after', deadlineMs: 1_000 });
    expect(await taken(hasty)).toMatchObject({ sprint: 'waits', deadlineMs: 30_000 });

    const deadlines = [2_000, 9_000, 4_000, 7_000, 3_000, 8_000];
    const all = await Promise.all(deadlines.map((ms) => open(ms)));
    for (const round of ['a', 'b', 'c', 'd', 'e'])
      await Promise.all(all.map((queue, at) => queue.add(job(`${round}${at}`, { needs: [round] }))));
    for (const round of ['a', 'b', 'c', 'd', 'e'])
      expect(await taken(hasty, [round])).toMatchObject({ needs: [round], deadlineMs: 9_000 });
  });

  it('holds a sprint again whose worker is back, whatever else it had to pass by: those who come later get none of it', async () => {
    const open = queues();
    const [one, other] = [await open(1_000), await open(1_000)];
    await one.add(job('lost'));
    await one.add(job('held'));
    await taken(one);
    const held = await taken(one);
    await one.add(job('new'));
    await pause(1_500);
    const kept = keptAlive(held);
    expect(await kept.extend()).toBe('held');
    expect(await taken(other)).toMatchObject({ sprint: 'new' });
    expect(await taken(other)).toMatchObject({ sprint: 'lost' });
    await pause(1_500);
    expect(sprintsOf(await takeAll(other))).not.toContain('held');
    await kept.finish();
    expect(sprintsOf(await one.list())).toEqual(['lost', 'new']);
  });

  it('lets each of several workers that are back at once keep what it had', async () => {
    const open = queues();
    const [one, other] = [await open(1_000), await open(1_000)];
    const sprints = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const sprint of sprints) await one.add(job(sprint));
    const held: HeldJob[] = [];
    for (const _ of sprints) held.push(await taken(one));
    await pause(1_500);
    await Promise.all(held.map((each) => keptAlive(each).extend()));
    await pause(1_500);
    expect(await takeAll(other)).toEqual([]);
  });

  it('is not to say who is lost right after it was away itself: those who have sprints are heard first', async () => {
    const open = queues();
    const way = await openTcpProxy(server.port);
    const [one, other] = [await open(1_000), await open(1_000, way.address)];
    await one.add(job('a'));
    const held = await taken(one);
    await pause(1_500);
    const back = other.changed({ signal: new AbortController().signal });
    way.cut();
    await back;
    expect(await other.take([])).toBeUndefined();
    keptAlive(held);
    await pause(2_000);
    expect(await other.take([])).toBeUndefined();
  });

  it('hands out at once what is given back', async () => {
    const queue = await queues()();
    await queue.add(job('a'));
    await (await taken(queue)).giveBack();
    await expect.poll(async () => (await queue.take([]))?.sprint).toBe('a');
  });

  it('has tasks of a sprint beside it, each once, whatever their ids are', async () => {
    const queue = await queues()();
    await queue.add(job('a'));
    for (const task of ['x', 'y.* >/z']) await queue.add(job('a', { task, lane: 'first' }));
    await expect(queue.add(job('a', { task: 'x' }))).rejects.toMatchObject({ code: 'SPRINT_QUEUED' });
    const held = await taken(queue);
    expect(held).toMatchObject({ sprint: 'a', task: 'x' });
    expect(await taken(queue)).toMatchObject({ sprint: 'a', task: 'y.* >/z' });
    expect(await taken(queue)).not.toHaveProperty('task');
    await queue.cancel('a', 'y.* >/z');
    expect((await queue.list()).map(({ task }) => task)).toEqual(['x', undefined]);
    await queue.cancel('a');
    expect(await held.extend()).toBe('gone');
    expect(await queue.list()).toEqual([]);
  });

  describe('who has a sprint learns', () => {
    it('that it was taken out of the queue', async () => {
      const queue = await queues()();
      await queue.add(job('a'));
      const held = await taken(queue);
      expect(await held.extend()).toBe('held');
      await queue.cancel('a');
      expect(await held.extend()).toBe('gone');
      expect(await queue.list()).toEqual([]);
      await expect(queue.cancel('a')).rejects.toMatchObject({ code: 'SPRINT_NOT_QUEUED' });
    });

    it('that it was moved', async () => {
      const queue = await queues()();
      await queue.add(job('a'));
      const held = await taken(queue);
      await queue.move('a', 'first');
      expect(await held.extend()).toBe('gone');
    });
  });

  it('says for which jobs no worker is there, at work or not, that has what they need', async () => {
    const open = queues();
    const [asker, one, other] = [await open(), await open(), await open()];
    const jobs = [job('any'), job('gpu', { needs: ['gpu'] }), job('both', { needs: ['gpu', 'macos'] })];
    const lacking = async () => sprintsOf((await asker.withoutWorker(jobs)) ?? []);
    expect(await lacking()).toEqual(['any', 'gpu', 'both']);
    const depart = [one.attend(['gpu']), other.attend(['macos'])];
    await expect.poll(lacking).toEqual(['both']);
    depart[0]?.();
    await expect.poll(lacking).toEqual(['gpu', 'both']);
    one.attend(['gpu', 'macos', 'xcode']);
    await expect.poll(lacking).toEqual([]);
    await one.close();
    depart[1]?.();
    await expect.poll(lacking).toEqual(['any', 'gpu', 'both']);
  });

  it('tells who waits that a sprint was added', async () => {
    const open = queues();
    const [one, other] = [await open(), await open()];
    const { signal } = new AbortController();
    const changed = one.changed({ signal });
    await other.add(job('a'));
    await changed;
    expect(await taken(one)).toMatchObject({ sprint: 'a' });
  });
});
