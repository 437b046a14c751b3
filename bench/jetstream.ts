import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../src/events/jetstream/jetstream-log.ts';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import type { EventLog } from '../src/events/log/event-log.ts';
import { NatsProcess } from '../test/helpers/nats-process.ts';
import { decide } from './support/decide.ts';
import { median, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { sampleEvent } from './support/sample-events.ts';
import { printTable, type Row } from './support/table.ts';

/**
 * The log on a server, on loopback and without syncs, against bare messages of the same size and against the log in a
 * file, which syncs each append: `npx node bench/jetstream.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 7);
const APPENDS = 1_000;
const WRITERS = 8;
const CONDITIONAL = 50;
const READ_EVENTS = 20_000;
const GROUP = 100;
const ANSWERS = 200;
const PAYLOAD = 'x'.repeat(330);

const server = new NatsProcess();
const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-jetstream-'));
await server.start();
const connection = await connect({ servers: server.address });
const manager = await jetstreamManager(connection);
const bare = jetstream(connection);
try {
  const rows = [...(await appending()), ...(await reading()), ...(await answering())];
  process.exitCode = printTable('A log on a server', rows) ? 0 : 1;
} finally {
  await connection.close();
  await server.remove();
  await rm(folder, { recursive: true });
}

/** Opens a new log once more with each call. */
function placeOf(kind: 'server' | 'file'): () => Promise<EventLog> {
  const project = randomUUID();
  if (kind === 'file') return () => openJsonlLog(join(folder, project, 'events.jsonl'));
  return () => openJetStreamLog({ servers: [server.address], project, name: project });
}

/** A stream of the server that is nobody's log, and its subject. */
async function bareStream(): Promise<{ name: string; subject: string }> {
  const name = `bare-${randomUUID()}`;
  await manager.streams.add({ name, subjects: [name] });
  return { name, subject: name };
}

async function appending(): Promise<Row[]> {
  const one = async (kind: 'server' | 'file') => {
    const log = await placeOf(kind)();
    await log.append('s', [sampleEvent('s', 0)], { expectedVersion: 0 });
    const ms = await timeMs(async () => {
      for (let n = 1; n <= APPENDS; n += 1)
        await log.append('s', [sampleEvent('s', n)], { expectedVersion: n });
    });
    await log.close();
    return (ms * 1_000) / APPENDS;
  };
  const publish = async () => {
    const { subject } = await bareStream();
    const ms = await timeMs(async () => {
      for (let n = 0; n < APPENDS; n += 1) await bare.publish(subject, PAYLOAD);
    });
    return (ms * 1_000) / APPENDS;
  };
  /** Writers that decide on the newest version of one stream, again where another was first. */
  const race = async (kind: 'server' | 'file') => {
    const open = placeOf(kind);
    const logs = await Promise.all(Array.from({ length: WRITERS }, open));
    const ms = await timeMs(() =>
      Promise.all(
        logs.map(async (log) => {
          for (let n = 0; n < CONDITIONAL; n += 1) await decide(log, n);
        }),
      ),
    );
    await Promise.all(logs.map((log) => log.close()));
    return (ms * 1_000) / (WRITERS * CONDITIONAL);
  };
  const figures = await runInterleaved(rounds, [
    { name: 'server', run: () => one('server') },
    { name: 'file', run: () => one('file') },
    { name: 'bare', run: publish },
    { name: 'race on server', run: () => race('server') },
    { name: 'race on file', run: () => race('file') },
  ] as const);
  const micros = (name: Parameters<typeof figures.get>[0]) =>
    `${median(figures.get(name) ?? []).toFixed(0)} µs`;
  return [
    {
      what: 'conditional append, against a bare message',
      figure: `${micros('server')} : ${micros('bare')}`,
      ratio: ratio(figures, 'server', 'bare'),
      reach: { 'at-most': 2 },
    },
    {
      what: 'against the file',
      figure: `${micros('server')} : ${micros('file')}`,
      ratio: ratio(figures, 'server', 'file'),
      reach: { 'at-most': 2 },
    },
    {
      what: `${WRITERS} writers of one stream, conditional with retries, against the file`,
      figure: `${micros('race on server')} : ${micros('race on file')}`,
      ratio: ratio(figures, 'race on server', 'race on file'),
      reach: { 'at-most': 10 },
    },
  ];
}

async function reading(): Promise<Row[]> {
  const [served, filed] = [placeOf('server'), placeOf('file')];
  const { name, subject } = await bareStream();
  for (const open of [served, filed]) {
    const log = await open();
    for (let n = 0; n < READ_EVENTS; n += GROUP) {
      // One by one, as they come in a run: a message each on the server.
      const appends = Array.from({ length: GROUP }, (_, index) => sampleEvent(`s-${index % 5}`, n + index));
      for (const event of appends)
        await log.append(event.subject.split('/')[0] ?? '', [event], { expectedVersion: 'any' });
    }
    await log.close();
  }
  const line = JSON.stringify(sampleEvent('s', 1));
  for (let n = 0; n < READ_EVENTS; n += 1) await bare.publish(subject, line);
  const read = async (open: () => Promise<EventLog>) => {
    const log = await open();
    const ms = await timeMs(async () => {
      let events = 0;
      for await (const batch of log.read()) events += batch.events.length;
      if (events !== READ_EVENTS) throw new Error(`${events} events were read`);
    });
    await log.close();
    return (ms * 1_000) / READ_EVENTS;
  };
  const consume = async () => {
    const { name: consumer } = await manager.consumers.add(name, { ack_policy: AckPolicy.None });
    const messages = await (await bare.consumers.get(name, consumer)).consume({ max_messages: 256 });
    const ms = await timeMs(async () => {
      let count = 0;
      for await (const message of messages) {
        message.json();
        count += 1;
        if (count === READ_EVENTS) break;
      }
    });
    return (ms * 1_000) / READ_EVENTS;
  };
  const figures = await runInterleaved(Math.min(rounds, 5), [
    { name: 'server', run: () => read(served) },
    { name: 'file', run: () => read(filed) },
    { name: 'bare', run: consume },
  ] as const);
  const micros = (key: Parameters<typeof figures.get>[0]) =>
    `${median(figures.get(key) ?? []).toFixed(1)} µs`;
  return [
    {
      what: `reading ${READ_EVENTS} events, chain checked, against bare messages + JSON.parse`,
      figure: `${micros('server')} : ${micros('bare')}`,
      ratio: ratio(figures, 'server', 'bare'),
      reach: { 'at-most': 2.5 },
    },
    {
      what: 'against the file',
      figure: `${micros('server')} : ${micros('file')}`,
      ratio: ratio(figures, 'server', 'file'),
      reach: { 'at-most': 6 },
    },
  ];
}

/** From before an append until somebody who follows has the event. */
async function answering(): Promise<Row[]> {
  const follow = async (kind: 'server' | 'file') => {
    const open = placeOf(kind);
    const [writer, reader] = [await open(), await open()];
    await writer.append('s', [sampleEvent('s', 0)], { expectedVersion: 0 });
    const stop = new AbortController();
    const times: number[] = [];
    let sentAt = performance.now();
    let seen = Promise.withResolvers<void>();
    const following = (async () => {
      for await (const { events } of reader.follow({ signal: stop.signal })) {
        if (events.length === 0) continue;
        times.push(performance.now() - sentAt);
        seen.resolve();
      }
    })();
    await seen.promise;
    for (let n = 1; n <= ANSWERS; n += 1) {
      seen = Promise.withResolvers();
      sentAt = performance.now();
      await writer.append('s', [sampleEvent('s', n)], { expectedVersion: n });
      await seen.promise;
    }
    stop.abort();
    await following;
    await Promise.all([writer.close(), reader.close()]);
    return median(times.slice(1));
  };
  const figures = await runInterleaved(rounds, [
    { name: 'server', run: () => follow('server') },
    { name: 'file', run: () => follow('file') },
  ] as const);
  const ms = (name: 'server' | 'file') => `${median(figures.get(name) ?? []).toFixed(2)} ms`;
  return [
    {
      what: 'append until a follower has the event, against the file',
      figure: `${ms('server')} : ${ms('file')}`,
      ratio: ratio(figures, 'server', 'file'),
      reach: { 'at-most': 5 },
    },
  ];
}
