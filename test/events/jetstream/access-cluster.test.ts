import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accessConfig } from '../../../src/events/jetstream/access-config.ts';
import { ROLES } from '../../../src/events/jetstream/access.ts';
import { proveAccess } from '../../../src/events/jetstream/prove-access.ts';
import { newUserKey } from '../../../src/events/jetstream/user-key.ts';
import { findNatsServer } from '../../helpers/nats-binary.ts';
import { NatsCluster } from '../../helpers/nats-cluster.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** Whoever names no user. */
const ANYBODY = 'anybody: { jetstream: enabled, users: [{ user: anybody, password: anybody }] }';

it.skipIf(findNatsServer('cluster') === undefined)(
  'what a credential can do is what the server says that it is connected with, whichever of a cluster answers first',
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
