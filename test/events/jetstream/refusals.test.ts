import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import {
  DiscardPolicy,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { NatsConnection } from '@nats-io/transport-node';
import { connected } from '../../../src/events/jetstream/connected.ts';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import { requireServerVersion } from '../../../src/events/jetstream/server-version.ts';
import { fillTemplate } from '../../../src/events/line/line-codec.ts';
import { prepareEvents } from '../../../src/events/line/prepare-event.ts';
import type { StreamHead } from '../../../src/events/log/event-log.ts';
import { newEvent } from '../../../src/events/envelope.ts';
import { isOneTooOldForClusters } from '../../helpers/nats-binary.ts';
import { NatsCluster } from '../../helpers/nats-cluster.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { messageOf } from '../../../src/lib/message-of.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { numbered, reasonsIn } from '../sample-events.ts';
import { natsPlace, openNatsLog } from './temp-log.ts';

/** A server that says it is of this version, and that there are others, and nothing else; and how often it was connected to. */
async function serverOf(
  version: string,
  others: readonly string[] = [],
): Promise<{ address: string; connected: () => number; leave: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const info = {
      server_id: 'N',
      version,
      proto: 1,
      headers: true,
      max_payload: 1_048_576,
      jetstream: true,
      connect_urls: others,
    };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (bytes.includes('PING')) socket.write('PONG\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const leave = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(leave);
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, connected: () => sockets.length, leave };
}

/** Counts how often a client tries to connect again. */
function watchedTries(connection: NatsConnection): { count: number } {
  const tries = { count: 0 };
  void (async () => {
    for await (const { type } of connection.status()) if (type === 'reconnecting') tries.count += 1;
  })();
  return tries;
}

const open = (servers: string) =>
  openJetStreamLog({ servers: [servers], project: 'p', name: `nats://${servers}/p` });

describe('servers', () => {
  it('refuses one that is too old, and says why', async () => {
    const { address } = await serverOf('2.9.10');
    const opened = open(address);
    await expect(opened).rejects.toThrow(
      `Cannot use nats://${address}/p: its server is NATS 2.9.10; before 2.10.23 a killed server may lose`,
    );
    await expect(opened).rejects.toMatchObject({ code: 'LOG_SERVER_TOO_OLD', recovery: 'fix-input' });
  });

  it.each(['2.10.23', '2.10.27', '2.11.0', '2.12.1-RC.2', '3.0.0'])('takes %s', (version) => {
    expect(() => requireServerVersion('log', version)).not.toThrow();
  });

  it.each(['2.10.22', '2.9.99', '1.99.99', '', 'dev'])('refuses "%s"', (version) => {
    expect(() => requireServerVersion('log', version)).toThrow('Cannot use log');
  });

  it.each(['2.11.0', '2.12.1-RC.2', '2.15.1', '3.0.0'])('takes three of %s', (version) => {
    expect(() => requireServerVersion('log', version, 3)).not.toThrow();
  });

  it.each(['2.10.99', '2.9.10', ''])('refuses three of "%s"', (version) => {
    expect(() => requireServerVersion('log', version, 3)).toThrow('Cannot use log with 3 replicas');
  });

  it('connects to none that others only tell of: the login is not for them', async () => {
    const told = await serverOf('2.11.0');
    const named = [await serverOf('2.11.0', [told.address]), await serverOf('2.11.0', [told.address])];
    const name = `nats://${named.map(({ address }) => address).join(',')}/p`;
    const { connection } = await connected(
      { servers: named.map(({ address }) => address), project: 'p', name, login: { token: 'secret' } },
      {},
    );
    onTestFinished(() => connection.close());
    const first = named.find((server) => server.connected() > 0);
    const second = named.find((server) => server !== first);
    first?.leave();
    await expect.poll(() => second?.connected()).toBe(1);
    const tries = watchedTries(connection);
    second?.leave();
    await expect.poll(() => tries.count > 4 || told.connected() > 0).toBe(true);
    expect(told.connected()).toBe(0);
  });

  it('names what nobody answers at', async () => {
    const opened = open('127.0.0.1:1');
    await expect(opened).rejects.toMatchObject({ code: 'LOG_UNREACHABLE', recovery: 'retry' });
    await expect(opened).rejects.toThrow('Cannot connect to nats://127.0.0.1:1/p: ');
  });
});

describeWithNats(
  'JetStream log',
  (server) => {
    it('refuses an append that is longer than a message may be, and goes on', async () => {
      const log = await openNatsLog(natsPlace(server));
      const call = (n: number) =>
        newEvent('/clifford/mcp', {
          type: 'tool.requested',
          subject: 's',
          data: {
            callId: `c${n}`,
            server: 'x',
            tool: 'y',
            args: { text: 'x'.repeat(20_000) },
            argsDigest: 'd',
          },
        });
      const long = log.append('s', [call(1), call(2), call(3)], { expectedVersion: 0 });
      await expect(long).rejects.toMatchObject({ code: 'APPEND_TOO_LONG' });
      await expect(long).rejects.toThrow(/the events have 6\d{4} bytes, the server takes 48976/);
      // Together they are longer than a message: they are sent as two.
      const both = await Promise.all([
        log.append('s', [call(1), call(2)], { expectedVersion: 0 }),
        log.append('s', [call(3)], { expectedVersion: 2 }),
      ]);
      expect(both.flat()).toHaveLength(3);
      expect(await log.head('s')).toBe(3);
    });

    /** Opens a log whose stream somebody has made before. */
    const opened = async (config: Partial<StreamConfig>) => {
      const { options } = natsPlace(server);
      const { project } = options;
      const made = await server.addStream({
        name: `clifford-events-${project}`,
        subjects: [`clifford.ev.${project}.>`],
        ...EVENTS,
        num_replicas: 1,
        ...config,
      });
      return { made, log: openJetStreamLog(options) };
    };

    it('takes a stream that somebody has made as it has to be', async () => {
      const log = await (await opened({})).log;
      expect(await log.append('s', numbered('s', 1), { expectedVersion: 0 })).toHaveLength(1);
      await log.close();
    });

    it.each<[string, Partial<StreamConfig>]>([
      ['keeps some messages', { max_msgs: 3 }],
      ['keeps some messages of each sprint', { max_msgs_per_subject: 3 }],
      ['forgets what is old', { max_age: 3_600_000_000_000 }],
      ['makes room for what is new', { discard: DiscardPolicy.Old }],
      ['keeps all in memory', { storage: StorageType.Memory }],
      ['removes what everybody has read', { retention: RetentionPolicy.Interest }],
      ['removes single messages', { deny_delete: false }],
      ['removes all messages', { deny_purge: false }],
      ['removes a message when whoever sends it says', { allow_msg_ttl: true }],
      ['acknowledges what is not written yet', { persist_mode: PersistMode.Async }],
      ['puts messages elsewhere', { subject_transform: { src: '>', dest: 'elsewhere.>' } }],
    ])('refuses a stream that %s', async (_, config) => {
      const { made, log } = await opened(config);
      const [key = ''] = Object.keys(config);
      const said = await log.then(
        (taken) => taken.close(),
        (error: unknown) => messageOf(error),
      );
      // Older servers know nothing of some, and leave it out.
      const isLeftOut = !(key in made) && ['allow_msg_ttl', 'persist_mode'].includes(key);
      const refusal = expect.stringContaining(`does not keep every event: its ${key} is `);
      expect(said).toEqual(isLeftOut ? undefined : refusal);
    });

    it('stops at a message that somebody else has written, and names it', async () => {
      const place = natsPlace(server);
      const log = await openNatsLog(place);
      await log.append('s', numbered('s', 2), { expectedVersion: 0 });
      await server.publish(`clifford.ev.${place.options.project}.s`, 'hello');
      await expect(reasonsIn(log)).rejects.toMatchObject({ code: 'LOG_CORRUPT' });
      await expect(reasonsIn(log)).rejects.toThrow(/message 2 \(clifford\.ev\..*\.s\) is damaged/);
    });

    it('stops at an event that lies under the subject of another stream', async () => {
      const place = natsPlace(server);
      const log = await openNatsLog(place);
      await log.append('s', numbered('s', 1), { expectedVersion: 0 });
      const [prepared] = prepareEvents('s', numbered('s', 1, 1));
      let head: StreamHead | undefined;
      for await (const { checkpoint } of log.read()) head = checkpoint().heads['s'];
      const line = prepared && head && fillTemplate(prepared.template, head);
      await server.publish(`clifford.ev.${place.options.project}.t`, line ?? '');
      await expect(reasonsIn(log)).rejects.toThrow('its subject is s/task-1, that of another stream');
    });

    it('makes no stream for who only looks', async () => {
      const place = natsPlace(server);
      const log = await openNatsLog(place);
      expect(await reasonsIn(log)).toEqual([]);
      expect(await log.head('s')).toBe(0);
      expect(await server.hasStream(`clifford-events-${place.options.project}`)).toBe(false);
    });
  },
  { config: 'max_payload: 50000' },
);

const tooOldForClusters = {
  missing: isOneTooOldForClusters() ? undefined : 'NATS_SERVER is 2.11 or newer',
};

/** The stream of a log as Clifford makes it, on three servers. */
const EVENTS = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_msgs_per_subject: -1,
  deny_delete: true,
  deny_purge: true,
  num_replicas: 3,
};

describeWithNats(
  'a log with replicas on servers that are too old for it',
  (server) => {
    it('is not made', async () => {
      const { options } = natsPlace(server);
      const log = await openJetStreamLog({ ...options, replicas: 3 });
      onTestFinished(() => log.close());
      const appended = log.append('s', numbered('s', 1), { expectedVersion: 'any' });
      await expect(appended).rejects.toMatchObject({ code: 'LOG_SERVER_TOO_OLD' });
      expect(await server.hasStream(`clifford-events-${options.project}`)).toBe(false);
    });
  },
  tooOldForClusters,
);

describeWithNats(
  'a server without JetStream',
  (server) => {
    it('is refused, and it is said what to do', async () => {
      const opened = openJetStreamLog(natsPlace(server).options);
      await expect(opened).rejects.toMatchObject({
        code: 'LOG_UNREACHABLE',
        fix: expect.stringContaining('nats-server -js'),
      });
    });
  },
  { config: 'jetstream: disabled' },
);

describe.skipIf(!isOneTooOldForClusters())('a log with replicas that is on such servers already', () => {
  const cluster = new NatsCluster('', 'one');
  beforeAll(() => cluster.start(), 90_000);
  afterAll(() => cluster.remove());

  it('is not opened, and says on how many it is kept', async () => {
    const project = randomUUID();
    await cluster.addStream({
      name: `clifford-events-${project}`,
      subjects: [`clifford.ev.${project}.>`],
      ...EVENTS,
    });
    const opened = openProject({
      root: await tempRoot(),
      source: '/clifford/cli',
      env: { CLIFFORD_LOG: `nats://${cluster.addresses[0]}/${project}` },
    });
    await expect(opened).rejects.toMatchObject({ code: 'LOG_SERVER_TOO_OLD', recovery: 'fix-input' });
    await expect(opened).rejects.toThrow(/with 3 replicas: its server is NATS 2\.10\./);
  });
});
