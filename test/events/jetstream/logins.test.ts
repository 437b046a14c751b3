import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import type { LogAddress } from '../../../src/events/jetstream/log-address.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { describeWithNats, type NatsServer } from '../../helpers/nats-server.ts';
import { numbered, reasonsIn } from '../sample-events.ts';
import { natsPlace } from './temp-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'clifford-logins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string) => join(folder, name);

/** Opens a log with a login, and closes it when the test is finished. */
async function openWith(
  server: NatsServer,
  login: Partial<LogAddress>,
  like?: LogAddress,
): Promise<EventLog> {
  const log = await openJetStreamLog({ ...(like ?? natsPlace(server).options), ...login });
  onTestFinished(() => log.close());
  return log;
}

/** What it says after two appends. */
async function used(log: EventLog): Promise<(string | undefined)[]> {
  await log.append('s', numbered('s', 2), { expectedVersion: 0 });
  return reasonsIn(log);
}

const key = nkeys.createUser();
writeFileSync(inFolder('me.nk'), `${Buffer.from(key.getSeed()).toString()}\n`);
/** What somebody may do who only looks: ask for messages, and have them brought. */
const reading = `publish: ["$JS.API.STREAM.INFO.>", "$JS.API.STREAM.MSG.GET.>", "$JS.API.CONSUMER.>"], subscribe: ["_INBOX.>"]`;
const users = `authorization { users: [
  { user: ann, password: "p w" },
  { user: eve, password: eve, permissions: { ${reading} } },
  { nkey: ${key.getPublicKey()} }
] }`;

describeWithNats(
  'a server with users',
  (server) => {
    const ann = { login: { user: 'ann', password: 'p w' } };

    it('lets in by user and password', async () => {
      expect(await used(await openWith(server, ann))).toEqual(['0', '1']);
    });

    it('lets in by an nkey in a file', async () => {
      expect(await used(await openWith(server, { login: { nkeyFile: inFolder('me.nk') } }))).toEqual([
        '0',
        '1',
      ]);
    });

    it.each([
      ['nobody', {}],
      ['a wrong password', { login: { user: 'ann', password: 'wrong' } }],
    ])('refuses %s, and it is said what to do', async (_, login) => {
      const opened = openWith(server, login);
      await expect(opened).rejects.toMatchObject({ code: 'LOG_FORBIDDEN', recovery: 'fix-input' });
      await expect(opened).rejects.toThrow(/^Cannot connect to nats:/);
    });

    it('who may only read reads, and is refused at once when they append', async () => {
      const { options } = natsPlace(server);
      await used(await openWith(server, ann, options));
      const looking = await openWith(server, { login: { user: 'eve', password: 'eve' } }, options);
      expect(await reasonsIn(looking)).toEqual(['0', '1']);
      const startedAt = performance.now();
      const refused = looking.append('s', numbered('s', 1, 2), { expectedVersion: 2 });
      await expect(refused).rejects.toMatchObject({ code: 'LOG_FORBIDDEN' });
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      expect(await looking.head('s')).toBe(2);
    });
  },
  { config: users },
);

describeWithNats(
  'a server with a token',
  (server) => {
    it('lets in by it', async () => {
      expect(await used(await openWith(server, { login: { token: 't-1' } }))).toEqual(['0', '1']);
    });
  },
  { config: 'authorization { token: "t-1" }' },
);

/** A certificate for loopback that is its own authority. Whether there is an `openssl` that has made it. */
const hasCertificate =
  spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${inFolder('key.pem')} -out ${inFolder('cert.pem')}`.split(
      ' ',
    ),
  ).status === 0;
describeWithNats(
  'a server with TLS',
  (server) => {
    it('is trusted by its certificate in a file', async () => {
      expect(
        await used(await openWith(server, { isEncrypted: true, tls: { ca: inFolder('cert.pem') } })),
      ).toEqual(['0', '1']);
    });

    it.each([[{}], [{ isEncrypted: true }]])('is not trusted without: %j', async (options) => {
      await expect(openWith(server, options)).rejects.toThrow(/certificate/);
    });
  },
  {
    config: `tls { cert_file: "${inFolder('cert.pem')}", key_file: "${inFolder('key.pem')}" }`,
    missing: hasCertificate ? undefined : 'no openssl',
  },
);

describeWithNats('a server without TLS', (server) => {
  it('is refused where the connection has to be encrypted', async () => {
    await expect(openWith(server, { isEncrypted: true })).rejects.toThrow("server does not support 'tls'");
  });
});
