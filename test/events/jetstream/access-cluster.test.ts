import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accessConfig } from '../../../src/events/jetstream/access-config.ts';
import { ROLES } from '../../../src/events/jetstream/access.ts';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import { proveAccess } from '../../../src/events/jetstream/prove-access.ts';
import { openJetStreamQueue } from '../../../src/events/jetstream/queue/jetstream-queue.ts';
import { newUserKey } from '../../../src/events/jetstream/user-key.ts';
import { findNatsServer } from '../../helpers/nats-binary.ts';
import { NatsCluster } from '../../helpers/nats-cluster.ts';
import { numbered, reasonsIn } from '../sample-events.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** Whoever names no user. */
const ANYBODY = 'anybody: { jetstream: enabled, users: [{ user: anybody, password: anybody }] }';

it.skipIf(findNatsServer('cluster') === undefined)(
  'each role does its part at any server of a cluster, and what a credential can do is said by the one it is connected with',
  { timeout: 120_000 },
  async () => {
    const folder = await tempRoot();
    const users = ROLES.map((role) => {
      const { seed, publicKey } = newUserKey();
      writeFileSync(join(folder, role), seed);
      return { role, name: role, publicKey };
    });
    const cluster = new NatsCluster(
      `accounts {\n${accessConfig('app', users)}\n${ANYBODY}\n}\nno_auth_user: anybody`,
    );
    onTestFinished(() => cluster.remove());
    await cluster.start();
    const addressOf = (role: (typeof ROLES)[number], at: number) => {
      const server = cluster.addresses[at] ?? '';
      return {
        name: `nats://${server}/app`,
        servers: [server],
        project: 'app',
        login: { nkeyFile: join(folder, role) },
        replicas: 3,
      };
    };
    // Each at another server of it.
    const log = await openJetStreamLog(addressOf('worker', 0));
    onTestFinished(() => log.close());
    const auditor = await openJetStreamLog(addressOf('auditor', 1));
    onTestFinished(() => auditor.close());
    const human = await openJetStreamQueue({ ...addressOf('human', 2), deadlineMs: 30_000 });
    onTestFinished(() => human.close());
    const worker = await openJetStreamQueue({ ...addressOf('worker', 1), deadlineMs: 30_000 });
    onTestFinished(() => worker.close());
    for (let n = 0; n < 20; n += 1) await log.append('s', numbered('s', 1, n), { expectedVersion: n });
    const changed = Promise.all([
      auditor.changed({ signal: AbortSignal.timeout(10_000) }),
      worker.changed({ signal: AbortSignal.timeout(10_000) }),
    ]);
    await log.append('s', numbered('s', 1, 20), { expectedVersion: 20 });
    await human.add({ sprint: 's', needs: [], lane: 'next', by: 'ann', at: '2026-03-01T12:00:00.000Z' });
    await changed;
    expect(await reasonsIn(auditor)).toHaveLength(21);
    const elsewhere = await openJetStreamLog(addressOf('human', 2));
    onTestFinished(() => elsewhere.close());
    expect(await reasonsIn(elsewhere)).toHaveLength(21);
    const job = await worker.take([]);
    expect(await job?.extend()).toBe('held');
    await job?.finish();
    expect(await human.list()).toEqual([]);

    for (const role of ROLES)
      for (const address of cluster.addresses) {
        const name = `nats://${address}/app`;
        const login = { nkeyFile: join(folder, role) };
        const proofs = Array.from({ length: 6 }, () =>
          proveAccess({ name, servers: [address], project: 'app', login }),
        );
        for (const { dangerous } of await Promise.all(proofs)) expect(dangerous).toEqual([]);
      }
  },
);
