import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import type { LogAddress } from '../../../src/events/jetstream/log-address.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { makeCertificate } from '../../helpers/make-certificate.ts';
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

writeFileSync(
  inFolder('other.pem'),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
const hasCertificates =
  makeCertificate(folder) && makeCertificate(folder, { name: 'named', hosts: 'DNS:localhost' });
const missing = hasCertificates ? undefined : 'no openssl';

/** What a server with this certificate says in its configuration. */
const certified = (name: string) =>
  `cert_file: "${inFolder(`${name}.pem`)}", key_file: "${inFolder(`${name}-key.pem`)}"`;

/** A server under another name than 127.0.0.1, and whom to trust. */
function trusting(server: NatsServer, authority: string, host: string): Partial<LogAddress> {
  const servers = natsPlace(server).options.servers.map((place) => place.replace('127.0.0.1', host));
  return { servers, isEncrypted: true, tls: { ca: inFolder(`${authority}.pem`) } };
}

describeWithNats(
  'a server with TLS',
  (server) => {
    it('is trusted by its certificate in a file', async () => {
      expect(
        await used(await openWith(server, { isEncrypted: true, tls: { ca: inFolder('cert.pem') } })),
      ).toEqual(['0', '1']);
    });

    it.each([[{}], [{ isEncrypted: true }]])('is not trusted without: %j', async (options) => {
      await expect(openWith(server, options)).rejects.toMatchObject({
        code: 'LOG_TLS_FAILED',
        message: expect.stringMatching(/^Cannot connect to nats:[^;]*certificate[^;]*$/),
        fix: expect.stringContaining('CLIFFORD_LOG_CA'),
      });
    });

    it('is not believed to be localhost, which its certificate does not say', async () => {
      await expect(openWith(server, trusting(server, 'cert', 'localhost'))).rejects.toMatchObject({
        code: 'LOG_TLS_FAILED',
        fix: expect.stringContaining('as its certificate does'),
      });
    });

    it.each([
      ['a certificate that is none', { ca: inFolder('me.nk') }, 'me.nk'],
      ['a key that is none', { cert: inFolder('cert.pem'), key: inFolder('me.nk') }, 'me.nk'],
      ['a key of another one', { cert: inFolder('cert.pem'), key: inFolder('other.pem') }, 'other.pem'],
    ])('is not asked with %s, and the file is named', async (_, tls, file) => {
      await expect(openWith(server, { isEncrypted: true, tls })).rejects.toMatchObject({
        code: 'LOG_LOGIN_INVALID',
        message: expect.stringContaining(`${inFolder(file)} cannot be used`),
      });
    });
  },
  {
    config: `tls { ${certified('cert')} }`,
    missing,
  },
);

describeWithNats(
  'a server with a certificate for localhost',
  (server) => {
    it('is believed to be that', async () => {
      expect(await used(await openWith(server, trusting(server, 'named', 'localhost')))).toEqual(['0', '1']);
    });

    // The client would have it checked against localhost.
    it('is not believed to have an address that the certificate does not say', async () => {
      await expect(openWith(server, trusting(server, 'named', '127.0.0.1'))).rejects.toMatchObject({
        code: 'LOG_TLS_FAILED',
        message: expect.stringContaining('127.0.0.1'),
      });
    });
  },
  { config: `tls { ${certified('named')} }`, missing },
);

describeWithNats('a server without TLS', (server) => {
  it('is refused where the connection has to be encrypted', async () => {
    await expect(openWith(server, { isEncrypted: true })).rejects.toMatchObject({
      code: 'LOG_TLS_FAILED',
      fix: expect.stringContaining('nats:// in place of tls://'),
    });
  });
});

describeWithNats(
  'a server that asks for a certificate',
  (server) => {
    const ca = inFolder('cert.pem');

    it('lets in by one', async () => {
      const tls = { ca, cert: ca, key: inFolder('cert-key.pem') };
      expect(await used(await openWith(server, { isEncrypted: true, tls }))).toEqual(['0', '1']);
    });

    it('says nothing to who has none, and that is said', async () => {
      await expect(openWith(server, { isEncrypted: true, tls: { ca } })).rejects.toMatchObject({
        code: 'LOG_UNREACHABLE',
        message: expect.stringContaining('a certificate of yours: none is named'),
      });
    });
  },
  {
    config: `tls { ${certified('cert')}, ca_file: "${inFolder('cert.pem')}", verify: true }`,
    missing,
  },
);

it('a server whose name nobody knows is away', async () => {
  const address = { name: 'nats://nobody.invalid/p', project: 'p', servers: ['nobody.invalid:4222'] };
  await expect(openJetStreamLog(address)).rejects.toMatchObject({
    code: 'LOG_UNREACHABLE',
    message: expect.stringContaining('nobody.invalid'),
  });
});
