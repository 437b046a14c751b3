import { expect, it } from 'vitest';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { agent, expectVerified, signalFolder, typesOf } from './said-by-workers.ts';

const ROUNDS = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
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

  it('that is added while a run of it begins is run by one of the two', async () => {
    const { env, begun, go } = await signalFolder();
    const team = await workerWorld(server.address, { sprints: { one: ['a'] } });
    const run = startClifford(['run', 'one', '--plain'], {
      cwd: team.desk,
      env,
    });
    const added = await team.human('queue', 'add', 'one');
    expect(added).toMatchObject({ code: 0 });
    const worker = await team.worker('only', { env });
    const { out, err } = await run.ended;
    expect(out + err).toMatch(/it waits in the queue for a worker|worker only\/\S+ has/);
    await begun('a');
    await go('a');
    await worker.printed(/one over: completed/);
    expect(typesOf(await team.events(), 'task.completed', 'task.failed')).toEqual(['task.completed one/a']);
  });

  it('and taken out of it while a worker takes it is left by that worker, or never taken', async () => {
    const team = await workerWorld(server.address, { sprints });
    const worker = await team.worker('only', { env: agent('hang-first') });
    for (const id of ROUNDS) {
      await team.human('queue', 'add', id);
      expect(await team.human('queue', 'cancel', id)).toMatchObject({ code: 0 });
      const events = (await team.events()).filter((event) => event.subject.split('/')[0] === id);
      const at = events.findIndex(({ type }) => type === 'job.cancelled');
      expect(typesOf(events.slice(at), 'job.taken', 'task.started')).toEqual([]);
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
      expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
      expect(both.map(({ err }) => err).join('')).toContain('it is in it already');
    }
    const { jobs } = JSON.parse((await team.human('queue', 'list', '--json')).out);
    expect(jobs.map(({ sprint }: { sprint: string }) => sprint).toSorted()).toEqual(ROUNDS.slice(0, 4));
    expect(typesOf(await team.events(), 'job.added')).toEqual(
      ROUNDS.slice(0, 4).map((id) => `job.added ${id}`),
    );
  });
});
