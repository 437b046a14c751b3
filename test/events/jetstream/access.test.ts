import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { accessConfig } from '../../../src/events/jetstream/access-config.ts';
import { ROLES, type Role } from '../../../src/events/jetstream/access.ts';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import type { LogAddress } from '../../../src/events/jetstream/log-address.ts';
import { newUserKey } from '../../../src/events/jetstream/user-key.ts';
import { openJetStreamQueue } from '../../../src/events/jetstream/queue/jetstream-queue.ts';
import type { JobQueue } from '../../../src/events/queue/job-queue.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { describeWithNats, type NatsServer } from '../../helpers/nats-server.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { numbered, reasonOf, reasonsIn } from '../sample-events.ts';

const folder = mkdtempSync(join(tmpdir(), 'clifford-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUEUE = { replicas: 1, deadlineMs: 30_000 };
const NOW = '2026-03-01T12:00:00.000Z';

const fileOf = (project: string, role: Role) => join(folder, `${project}.${role}`);

/** A project with somebody in each role. */
function projectConfig(project: string): string {
  const users = ROLES.map((role) => {
    const { seed, publicKey } = newUserKey();
    writeFileSync(fileOf(project, role), seed);
    return { role, name: role, publicKey };
  });
  return accessConfig(project, users);
}

/** One for each log of the contract, and one for each test below. */
const forContract = Array.from({ length: 60 }, (_, n) => `contract-${n}`);
const spare = Array.from({ length: 36 }, (_, n) => `p${n}`);
/** Its accounts were printed before workers could be asked whether they are there. */
const old = projectConfig('old').replaceAll(/^.*clifford\.worker.*\n/gm, '');
/** Others are called as the accounts of the first are. */
const alike = ['team', 'team-users', 'team-auditors'];
const config = `accounts {\n${[...[...forContract, ...spare, ...alike].map(projectConfig), old].join('\n')}\n}`;

function next(projects: string[]): string {
  const project = projects.shift();
  if (project === undefined) throw new Error('More projects are needed');
  return project;
}

describeWithNats(
  'a server that lets in by the accounts of projects',
  (server) => {
    describeEventLog('JetStream log of who may do no more than it takes', async () => {
      const address = addressOf(server, next(forContract), 'worker');
      return { open: (options) => openJetStreamLog({ ...address, ...options }) };
    });

    describe('roles', () => {
      it.each(['worker', 'human'] as const)('a %s makes the log, appends and follows', async (role) => {
        const log = await open(server, next(spare), role);
        const seen = followed(log);
        await log.append('s', numbered('s', 2), { expectedVersion: 0 });
        await log.append('t', numbered('t', 1, 2), { expectedVersion: 'any' });
        await expect.poll(() => seen).toEqual(['0', '1', '2']);
        expect(await log.head('s')).toBe(2);
      });

      it('an auditor reads and follows, and is refused at once when they append', async () => {
        const project = next(spare);
        const worker = await open(server, project, 'worker');
        await worker.append('s', numbered('s', 20), { expectedVersion: 0 });
        const auditor = await open(server, project, 'auditor');
        const seen = followed(auditor);
        await worker.append('s', numbered('s', 1, 20), { expectedVersion: 20 });
        await expect.poll(() => seen).toEqual(numbersTo(21));
        expect(await reasonsIn(auditor)).toEqual(numbersTo(21));
        const changed = auditor.changed({ signal: AbortSignal.timeout(10_000) });
        await worker.append('s', numbered('s', 1, 21), { expectedVersion: 21 });
        await changed;
        const selected: unknown[] = [];
        for await (const { events } of auditor.select({ stream: 's' })) selected.push(...events);
        expect(selected).toHaveLength(22);
        const startedAt = performance.now();
        const refused = auditor.append('s', numbered('s', 1, 22), { expectedVersion: 22 });
        await expect(refused).rejects.toMatchObject({ code: 'LOG_FORBIDDEN' });
        await expect(refused).rejects.toThrow(/^Cannot append to nats:\S+: Permissions Violation/);
        expect(performance.now() - startedAt).toBeLessThan(4_000);
        expect(await worker.head('s')).toBe(22);
      });

      it.each(alike)(
        'everybody is let in to %s, though the others are called as its accounts are',
        async (project) => {
          const [worker, human] = [
            await open(server, project, 'worker'),
            await open(server, project, 'human'),
          ];
          await worker.append('s', numbered('s', 1), { expectedVersion: 0 });
          await human.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
          expect(await reasonsIn(await open(server, project, 'auditor'))).toEqual(numbersTo(2));
        },
      );

      it.each(ROLES)('a %s of one project sees nothing of another', async (role) => {
        const [own, other] = [next(spare), next(spare)];
        const theirs = await open(server, other, 'worker');
        await theirs.append('s', numbered('s', 3), { expectedVersion: 0 });
        const opened = openJetStreamLog({ ...addressOf(server, own, role), project: other });
        await expect(opened).rejects.toMatchObject({ code: 'LOG_FORBIDDEN' });

        const connection = await connectAs(server, own, role);
        const heard: string[] = [];
        connection.subscribe('_INBOX.>', { callback: (_, message) => void heard.push(message.subject) });
        await connection.flush();
        await theirs.append('s', numbered('s', 1, 3), { expectedVersion: 3 });
        expect(await reasonsIn(theirs)).toHaveLength(4);
        await connection.flush();
        expect(heard).toEqual([]);
      });

      it('a human fills the queue and changes it, a worker takes what is in it and adds tasks, and an auditor nothing', async () => {
        const project = next(spare);
        const human = await openQueue(server, project, 'human');
        const worker = await openQueue(server, project, 'worker');
        const job = (sprint: string) => ({ sprint, needs: [], lane: 'next' as const, by: 'ann', at: NOW });
        const changed = worker.changed({ signal: AbortSignal.timeout(10_000) });
        await human.add(job('s-1'));
        await changed;
        for (const sprint of ['s-2', 's-3']) await human.add(job(sprint));
        await human.move('s-3', 'first');
        await human.cancel('s-2');
        expect((await human.list()).map(({ sprint }) => sprint)).toEqual(['s-3', 's-1']);
        const first = await worker.take([]);
        expect(first?.sprint).toBe('s-3');
        expect(await first?.extend()).toBe('held');
        await first?.finish();
        const second = await worker.take([]);
        expect(second?.sprint).toBe('s-1');
        await second?.giveBack();
        expect((await worker.list()).map(({ sprint }) => sprint)).toEqual(['s-1']);
        await worker.add({ ...job('s-1'), task: 'a', needs: ['gpu'], lane: 'first' });
        expect(await (await worker.take(['gpu']))?.extend()).toBe('held');
        await worker.cancel('s-1', 'a');
        expect((await worker.list()).map(({ task }) => task)).toEqual([undefined]);
        const lacking = async () => (await human.withoutWorker([job('s-1')]))?.length;
        expect(await lacking()).toBe(1);
        const depart = worker.attend([]);
        await expect.poll(lacking).toBe(0);
        depart();
        await expect(openQueue(server, project, 'auditor')).rejects.toMatchObject({ code: 'LOG_FORBIDDEN' });
        const stranger = { ...addressOf(server, next(spare), 'worker'), project };
        await expect(openJetStreamQueue({ ...stranger, ...QUEUE })).rejects.toMatchObject({
          code: 'LOG_FORBIDDEN',
        });
      });

      it('accounts of before leave open whether a worker is there, and keep none from its work', async () => {
        const [human, worker] = [
          await openQueue(server, 'old', 'human'),
          await openQueue(server, 'old', 'worker'),
        ];
        worker.attend([]);
        const job = { sprint: 's', needs: [], lane: 'next' as const, by: 'ann', at: NOW };
        await human.add(job);
        expect(await human.withoutWorker([job])).toBeUndefined();
        expect(await worker.take([])).toMatchObject({ sprint: 's' });
      });

      it('an auditor makes nothing on the server, and reads and follows what is long all the same', async () => {
        const project = next(spare);
        const worker = await open(server, project, 'worker');
        for (let n = 0; n < 300; n += 1)
          await worker.append('s', numbered('s', 1, n), { expectedVersion: n });
        const auditor = await open(server, project, 'auditor');
        expect(await reasonsIn(auditor)).toEqual(numbersTo(300));
        const selected = await Array.fromAsync(auditor.select({ stream: 's' }));
        expect(selected.flatMap(({ events }) => events.map(reasonOf))).toEqual(numbersTo(300));
        const seen = followed(auditor);
        await expect.poll(() => seen.length).toBe(300);
        await worker.append('s', numbered('s', 1, 300), { expectedVersion: 300 });
        await expect.poll(() => seen).toEqual(numbersTo(301));
        const lookers = await connectAs(server, project, 'worker');
        const count = async () =>
          (
            (
              await lookers.request(`clifford.use.${project}.STREAM.INFO.clifford-events-${project}`)
            ).json() as {
              state: object;
            }
          ).state;
        expect(await count()).toMatchObject({ consumer_count: 0 });
        const connection = await connectAs(server, project, 'auditor');
        const stream = `clifford-events-${project}`;
        const config = { stream_name: stream, config: { name: 'mine', ack_policy: 'none' } };
        for (const api of ['$JS.API', `clifford.api.${project}`])
          for (const request of [`CONSUMER.CREATE.${stream}.mine`, `CONSUMER.DURABLE.CREATE.${stream}.mine`])
            await expect(
              connection.request(`${api}.${request}`, JSON.stringify(config), { timeout: 2_000 }),
            ).rejects.toThrow('Permissions Violation');
      });

      it('an auditor cannot have the answer of the server stored in the log', async () => {
        const project = next(spare);
        const worker = await open(server, project, 'worker');
        await worker.append('s', numbered('s', 1), { expectedVersion: 0 });
        const connection = await connectAs(server, project, 'auditor');
        const request = `$JS.API.STREAM.INFO.clifford-events-${project}`;
        connection.publish(request, '', { reply: `clifford.ev.${project}.s` });
        await connection.flush();
        // What comes behind it is stored behind it, too.
        await worker.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
        expect(await reasonsIn(worker)).toEqual(['0', '1']);
      });

      it.each(ROLES)('a %s can neither remove the log nor change how it is kept', async (role) => {
        const project = next(spare);
        const log = await open(server, project, 'worker');
        await log.append('s', numbered('s', 1), { expectedVersion: 0 });
        const connection = await connectAs(server, project, role);
        for (const request of ['STREAM.DELETE', 'STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.DELETE'])
          await expect(
            connection.request(`$JS.API.${request}.clifford-events-${project}`, '{}', { timeout: 2_000 }),
          ).rejects.toThrow('Permissions Violation');
        expect(await reasonsIn(log)).toEqual(['0']);
      });

      it.each(ROLES)(
        'a %s cannot have the server remove the log, or the queue, by its own word',
        async (role) => {
          const project = next(spare);
          const log = await open(server, project, 'worker');
          await log.append('s', numbered('s', 1), { expectedVersion: 0 });
          const queue = await openQueue(server, project, 'human');
          const connection = await connectAs(server, project, role);
          const streams = { ev: `clifford-events-${project}`, job: `clifford-jobs-${project}` };
          for (const api of ['$JS.API', `clifford.use.${project}`, `clifford.api.${project}`])
            for (const [kind, stream] of Object.entries(streams)) {
              const filter = `clifford.${kind}.${project}.none.none.none`;
              const config = { name: 'none', ack_policy: 'explicit', filter_subject: filter };
              const request = JSON.stringify({ stream_name: stream, config });
              await connection
                .request(`${api}.CONSUMER.CREATE.${stream}.none.${filter}`, request)
                .catch(() => undefined);
              for (const removed of Object.values(streams))
                for (const reply of [`$JS.API.STREAM.DELETE.${removed}`, `${api}.STREAM.DELETE.${removed}`])
                  // Nothing comes, at once; and nobody can be asked so.
                  for (const asked of ['{"batch":1,"no_wait":true}', '{"batch":-1']) {
                    connection.publish(`${api}.CONSUMER.MSG.NEXT.${stream}.none`, asked, { reply });
                    connection.publish(`$JS.ACK.${stream}.none.1.1.1.1.0`, `+NXT ${asked}`, { reply });
                  }
            }
          for (let n = 0; n < 3; n += 1) await connection.flush();
          await expect(queue.list()).resolves.toEqual([]);
          await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
          expect(await reasonsIn(log)).toEqual(['0', '1']);
        },
      );

      it.each(['worker', 'human'] as const)(
        'a %s cannot have the log removed by what the queue sends on: it is there with the log',
        async (role) => {
          const project = next(spare);
          const log = await open(server, project, 'worker');
          await log.append('s', numbered('s', 1), { expectedVersion: 0 });
          const connection = await connectAs(server, project, role);
          expect(await makeQueueThatRemoves(connection, project)).toMatchObject({ error: { code: 400 } });
          await connection.request(`clifford.job.${project}.next._.x`);
          await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
          expect(await reasonsIn(log)).toEqual(['0', '1']);
        },
      );

      it('nothing is appended to a log beside a queue that may remove it', async () => {
        const project = next(spare);
        const made = await makeQueueThatRemoves(await connectAs(server, project, 'human'), project);
        expect(made).not.toHaveProperty('error');
        const log = await open(server, project, 'worker');
        const refused = log.append('s', numbered('s', 1), { expectedVersion: 0 });
        await expect(refused).rejects.toMatchObject({ code: 'LOG_STREAM_UNFIT' });
        await expect(refused).rejects.toThrow('its republish is {');
        expect(await log.head('s')).toBe(0);
      });

      it.each(ROLES)('a %s cannot remove the log by what a worker answers', async (role) => {
        const project = next(spare);
        const log = await open(server, project, 'worker');
        await log.append('s', numbered('s', 1), { expectedVersion: 0 });
        const worker = await openQueue(server, project, 'worker');
        worker.attend([]);
        const human = await openQueue(server, project, 'human');
        const job = { sprint: 's', needs: [], lane: 'next' as const, by: 'ann', at: NOW };
        const isThere = async () => (await human.withoutWorker([job]))?.length === 0;
        await expect.poll(isThere).toBe(true);
        const connection = await connectAs(server, project, role);
        const reply = `$JS.API.STREAM.DELETE.clifford-events-${project}`;
        connection.publish(`clifford.worker.${project}`, '', { reply });
        await connection.flush();
        // It has answered by then.
        expect(await isThere()).toBe(true);
        expect(await reasonsIn(log)).toEqual(['0']);
      });

      it.each(ROLES)('a %s cannot change how the log is kept by answering itself', async (role) => {
        const project = next(spare);
        const log = await open(server, project, 'worker');
        await log.append('s', numbered('s', 1), { expectedVersion: 0 });
        const looking = await connectAs(server, project, 'worker');
        const [stream, presence] = [`clifford-events-${project}`, `clifford.worker.${project}`];
        const kept = async () =>
          (
            (await looking.request(`clifford.use.${project}.STREAM.INFO.${stream}`)).json() as {
              config: object;
            }
          ).config;
        const before = await kept();
        const forgetful = JSON.stringify({ ...before, max_age: 1e9, duplicate_window: 1e9 });
        const connection = await connectAs(server, project, role);
        connection.subscribe(presence, {
          callback: (error, message) => void (error ?? message.respond(forgetful)),
        });
        connection.publish(presence, '', { reply: `$JS.API.STREAM.UPDATE.${stream}` });
        for (let n = 0; n < 3; n += 1) await connection.flush();
        expect(await kept()).toEqual(before);
      });
    });
  },
  { config },
);

function addressOf(server: NatsServer, project: string, role: Role): LogAddress {
  const { address } = server;
  const login = { nkeyFile: fileOf(project, role) };
  return { servers: [address], project, name: `nats://${address}/${project}`, login };
}

async function openQueue(server: NatsServer, project: string, role: Role): Promise<JobQueue> {
  const queue = await openJetStreamQueue({ ...addressOf(server, project, role), ...QUEUE });
  onTestFinished(() => queue.close());
  return queue;
}

async function open(server: NatsServer, project: string, role: Role): Promise<EventLog> {
  const log = await openJetStreamLog(addressOf(server, project, role));
  onTestFinished(() => log.close());
  return log;
}

/** A connection as anybody may make it who has the key. */
async function connectAs(server: NatsServer, project: string, role: Role): Promise<NatsConnection> {
  const seed = readFileSync(fileOf(project, role));
  const connection = await connect({ servers: server.address, authenticator: nkeyAuthenticator(seed) });
  onTestFinished(() => connection.close());
  return connection;
}

/** Makes the queue, but so that the first job in it removes the log; what the server answers. */
async function makeQueueThatRemoves(connection: NatsConnection, project: string): Promise<unknown> {
  const name = `clifford-jobs-${project}`;
  const config = {
    name,
    subjects: [`clifford.job.${project}.>`],
    storage: 'file',
    retention: 'workqueue',
    discard: 'new',
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    num_replicas: 1,
    republish: {
      src: `clifford.job.${project}.next._.x`,
      dest: `$JS.API.STREAM.DELETE.clifford-events-${project}`,
    },
  };
  const made = await connection.request(
    `clifford.use.${project}.STREAM.CREATE.${name}`,
    JSON.stringify(config),
  );
  return made.json();
}

/** What is followed from now on, as it comes. */
function followed(log: EventLog): (string | undefined)[] {
  const seen: (string | undefined)[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const { events } of log.follow({ signal: stop.signal })) seen.push(...events.map(reasonOf));
  })();
  onTestFinished(async () => {
    stop.abort();
    await following;
  });
  return seen;
}

function numbersTo(count: number): string[] {
  return Array.from({ length: count }, (_, n) => String(n));
}
