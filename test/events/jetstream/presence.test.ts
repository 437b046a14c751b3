import { randomUUID } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { expect, it, onTestFinished } from 'vitest';
import type { Login } from '../../../src/events/jetstream/log-address.ts';
import { openJetStreamQueue } from '../../../src/events/jetstream/queue/jetstream-queue.ts';
import type { JobQueue } from '../../../src/events/queue/job-queue.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';

const ANYBODY = { user: 'anybody', password: 'secret' };
/** May listen to answers, and not ask. */
const MUTE = { user: 'mute', password: 'secret' };

describeWithNats(
  'workers that are asked whether they are there',
  (server) => {
    const project = randomUUID();
    const presence = `clifford.worker.${project}`;
    const job = { sprint: 's', needs: [], lane: 'next' as const, by: 'ada', at: '2026-01-31T12:00:00.000Z' };

    async function open(login: Login): Promise<JobQueue> {
      const address = {
        servers: [server.address],
        project,
        name: `nats://${server.address}/${project}`,
        login,
      };
      const queue = await openJetStreamQueue({ ...address, replicas: 1, deadlineMs: 30_000 });
      onTestFinished(() => queue.close());
      return queue;
    }

    it('answer where answers come to, and nowhere else, whatever their users may do', async () => {
      const [worker, asker] = [await open(ANYBODY), await open(ANYBODY)];
      onTestFinished(worker.attend([]));
      const isThere = async () => (await asker.withoutWorker([job]))?.length === 0;
      await expect.poll(isThere).toBe(true);
      const stranger = await connect({ servers: server.address, user: 'anybody', pass: 'secret' });
      onTestFinished(() => stranger.close());
      const heard: string[] = [];
      stranger.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) });
      for (const reply of ['elsewhere', `${presence}-2.x`, '$JS.API.INFO', undefined])
        stranger.publish(presence, '', { ...(reply !== undefined && { reply }) });
      await stranger.flush();
      expect(await isThere()).toBe(true);
      await stranger.flush();
      const own = heard.filter((subject) => subject !== presence && !subject.startsWith('_INBOX.'));
      expect(own).toEqual([expect.stringMatching(`^${presence}\\.`)]);
    });

    it('are not known to whoever may not ask', async () => {
      const [worker, mute] = [await open(ANYBODY), await open(MUTE)];
      onTestFinished(worker.attend([]));
      expect(await mute.withoutWorker([job])).toBeUndefined();
    });
  },
  {
    config: `accounts { shared: { jetstream: enabled, users: [
      { user: anybody, password: secret },
      { user: mute, password: secret, permissions: { publish: { deny: "clifford.worker.>" } } }
    ] } }`,
  },
);
