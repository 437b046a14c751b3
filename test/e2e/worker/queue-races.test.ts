import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { agent, expectVerified, typesOf } from './said-by-workers.ts';

const ROUNDS = Array.from({ length: 8 }, (_, at) => `r${at}`);
const sprints = Object.fromEntries(ROUNDS.map((id) => [id, ['a']]));

describeWithNats('a sprint in the queue', (server) => {
  it('is run by nobody else: a run says that it waits there, and runs it once it is taken out', async () => {
    const team = await workerWorld(server.address, { sprints: { one: ['a'] } });
    await team.human('queue', 'add', 'one');
    const run = () => clifford(['run', 'one', '--plain'], { cwd: team.desk, env: agent('complete') });
    const refused = await run();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('Cannot run sprint one: it waits in the queue for a worker');
    expect(refused.err).toContain('take it out first with: clifford queue cancel one');
    await team.human('queue', 'cancel', 'one');
    expect(await run()).toMatchObject({ code: 0 });
  });

  it('is left to a worker by a run that begins while it is added, or was begun by then', async () => {
    const team = await workerWorld(server.address, { sprints });
    for (const [at, id] of ROUNDS.entries()) {
      const adding = pause((ROUNDS.length - at) * 20).then(() => team.human('queue', 'add', id));
      await pause(at * 20);
      const run = clifford(['run', id, '--plain'], { cwd: team.desk, env: agent('complete') });
      const [{ code, err }] = await Promise.all([run, adding]);
      const types = (await team.events()).flatMap((event) => (event.subject === id ? [event.type] : []));
      const [begun, added] = [types.indexOf('sprint.started'), types.indexOf('job.added')];
      const isRefused = err.includes('it waits in the queue for a worker');
      expect([id, code, begun >= 0]).toEqual([id, isRefused ? 1 : 0, !isRefused]);
      // Not there is -1: a run that was refused has not begun, one that was over is not added.
      expect(begun).toBeLessThan(added === -1 ? types.length : added);
    }
  });

  it('and taken out of it while a worker takes it is left by that worker, or never taken', async () => {
    const team = await workerWorld(server.address, { sprints });
    const worker = await team.worker('only', { env: agent('hang-first') });
    for (const [at, id] of ROUNDS.entries()) {
      const adding = team.human('queue', 'add', id);
      await pause(at * 30);
      const cancelled = await team.human('queue', 'cancel', id);
      await adding;
      const last = cancelled.code === 0 ? cancelled : await team.human('queue', 'cancel', id);
      expect(last).toMatchObject({ code: 0 });
      const events = (await team.events()).filter((event) => event.subject.split('/')[0] === id);
      const after = events.slice(events.findIndex(({ type }) => type === 'job.cancelled'));
      expect(typesOf(after, 'job.taken', 'task.started')).toEqual([]);
    }
    expect((await team.human('queue', 'list', '--json')).out).toContain('"jobs":[]');
    worker.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    await expectVerified(team);
  });

  it('is in it once, also in the log, where two add it at the same time', async () => {
    const team = await workerWorld(server.address, { sprints });
    for (const id of ROUNDS.slice(0, 4)) {
      const both = await Promise.all([
        team.human('queue', 'add', id),
        team.human('queue', 'add', id, '--needs', 'gpu', '--last'),
      ]);
      expect(both.map(({ code }) => code).toSorted((one, other) => Number(one) - Number(other))).toEqual([
        0, 1,
      ]);
      expect(both.map(({ err }) => err).join('')).toContain('it is in it already');
    }
    const { jobs } = JSON.parse((await team.human('queue', 'list', '--json')).out);
    expect(jobs.map(({ sprint }: { sprint: string }) => sprint).toSorted()).toEqual(ROUNDS.slice(0, 4));
    expect(typesOf(await team.events(), 'job.added')).toEqual(
      ROUNDS.slice(0, 4).map((id) => `job.added ${id}`),
    );
  });
});
