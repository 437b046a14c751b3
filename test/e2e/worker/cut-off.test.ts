import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { asker, expectGoneOn, expectYielded, patient, signalFolder } from './said-by-workers.ts';

describeWithNats('who is cut off from the server', (server) => {
  /** A team, and a way to its log that can fail. */
  async function world(options: Parameters<typeof workerWorld>[1]) {
    const made = await workerWorld(server.address, options);
    const way = await openTcpProxy(server.port);
    return { ...made, way, farUrl: made.url.replace(server.address, way.address) };
  }

  it('a worker yields to the one that took over, and of two attempts one counts', patient, async () => {
    const { way, farUrl, ...team } = await world({ sprints: { one: ['a'] } });
    await team.human('queue', 'add', 'one');
    const far = await team.worker('far', { env: asker, url: farUrl });
    await expect.poll(async () => (await team.human('questions')).out).toContain('Which colour?');
    way.dropRequests();
    const near = await team.worker('near', { env: asker });
    await near.printed(/one taken/);
    expect((await team.human('answer', 'last', 'blue')).code).toBe(0);
    await near.printed(/one over: completed/);
    way.cut();
    await far.printed(/one taken over[^]*waits for a sprint/);
    await expectYielded(team);
  });

  it('a worker that is back keeps its sprint from those who come later', patient, async () => {
    const { env, begun, go } = await signalFolder();
    const team = await workerWorld(server.address, { sprints: { one: ['a', 'b'] }, deadlineMs: 1_000 });
    await team.human('queue', 'add', 'one');
    const far = await team.worker('far', { env });
    await begun('a');
    far.kill('SIGSTOP');
    await pause(2_000);
    far.kill('SIGCONT');
    // Before anybody else is there the queue hears of it again.
    await pause(1_000);
    const near = await team.worker('near', { env });
    await near.printed(/waits for a sprint/);
    await Promise.all(['a', 'b'].map(go));
    await far.printed(/one over: completed/);
    await expectGoneOn(team);
  });

  it('a worker goes on with what it has begun where nobody took over', patient, async () => {
    const { env, begun, go } = await signalFolder();
    const { way, farUrl, ...team } = await world({ sprints: { one: ['a', 'b'] }, deadlineMs: 1_000 });
    await team.human('queue', 'add', 'one');
    const far = await team.worker('far', { env, url: farUrl });
    await begun('a');
    way.dropRequests();
    await far.warned(/Cannot answer the queue of nats:/);
    await Promise.all(['a', 'b'].map(go));
    way.cut();
    await far.printed(/one over: completed/);
    await expectGoneOn(team);
  });
});
