import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { NetworkRoom, whyNoNetworkRoom } from '../../helpers/network-room.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { asker, expectGoneOn, expectYielded, patient, signalFolder } from './said-by-workers.ts';

const missing = whyNoNetworkRoom();

describeWithNats(
  'a worker whose network is away',
  (server) => {
    const room = new NetworkRoom();
    beforeAll(() => room.make());
    afterAll(() => room.remove());

    /** A team, and how a worker is started behind the cable. */
    async function world(options: Parameters<typeof workerWorld>[1]) {
      const made = await workerWorld(server.address, options);
      const url = made.url.replace(server.address, `${room.host}:${server.port}`);
      const far = (env: Readonly<Record<string, string>>) => made.worker('far', { env, url, by: room.by });
      return { ...made, far };
    }

    it(
      'yields to the one that took over in the middle of its attempt: of the two one counts',
      patient,
      async () => {
        const { far: startFar, ...team } = await world({ sprints: { one: ['a'] } });
        await team.human('queue', 'add', 'one');
        const far = await startFar(asker);
        await expect.poll(async () => (await team.human('questions')).out).toContain('Which colour?');
        room.unplug();
        const near = await team.worker('near', { env: asker });
        await near.printed(/one taken/);
        expect((await team.human('answer', 'last', 'blue')).code).toBe(0);
        await near.printed(/one over: completed/);
        room.plugIn();
        await far.printed(/one taken over[^]*waits for a sprint/);
        await expectYielded(team);
      },
    );

    it(
      'goes on with what it has begun where nobody took over, soon after it is back, and records it once',
      patient,
      async () => {
        const { env, begun, go } = await signalFolder();
        const { far: startFar, ...team } = await world({ sprints: { one: ['a', 'b'] }, deadlineMs: 1_000 });
        await team.human('queue', 'add', 'one');
        const far = await startFar(env);
        await begun('a');
        room.unplug();
        await far.warned(/Cannot (answer the queue of|append to) nats:/);
        await Promise.all(['a', 'b'].map(go));
        room.plugIn();
        // What was sent over the old connection is sent again by the system later and later.
        await far.printed(/one over: completed/);
        await expectGoneOn(team);
      },
    );
  },
  { config: 'host: 0.0.0.0', missing },
);
