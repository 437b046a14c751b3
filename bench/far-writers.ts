import { randomUUID } from 'node:crypto';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../src/events/jetstream/jetstream-log.ts';
import { troubleOf } from '../src/events/jetstream/jetstream-errors.ts';
import type { EventLog } from '../src/events/log/event-log.ts';
import { findNatsServer } from '../test/helpers/nats-binary.ts';
import { NatsCluster } from '../test/helpers/nats-cluster.ts';
import { NatsProcess, startAll } from '../test/helpers/nats-process.ts';
import { decide } from './support/decide.ts';
import { median, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { sampleEvent } from './support/sample-events.ts';
import { printTable, type Row } from './support/table.ts';

/**
 * Conditional appends to a log on a server, by one writer and by eight of one stream, against the same done by hand: messages of the
 * same size that expect the last one of their subject. On one server, on one that syncs each message, and on three that keep
 * each: `npx node bench/far-writers.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 7);
const APPENDS = 1_000;
const WRITERS = 8;
const EACH = 40;
const PAYLOAD = 'x'.repeat(330);

/** Where a log is kept, and how. */
type Place = { readonly what: string; readonly servers: readonly string[]; readonly replicas: number };

const one = new NatsProcess();
const syncing = new NatsProcess('', 'one', 'sync_interval: always');
const three = findNatsServer('cluster') === undefined ? undefined : new NatsCluster();
const machines = three ? [one, syncing, three] : [one, syncing];
try {
  await startAll(machines);
  const places = [
    { what: 'one server', servers: [one.address], replicas: 1 },
    { what: 'one that syncs each message', servers: [syncing.address], replicas: 1 },
    ...(three ? [{ what: 'three servers', servers: three.addresses, replicas: 3 }] : []),
  ];
  const rows: Row[] = [];
  for (const place of places) rows.push(...(await compare(place)));
  process.exitCode = printTable('Conditional appends to a log on a server, against bare messages', rows)
    ? 0
    : 1;
} finally {
  await Promise.all(machines.map((each) => each.remove()));
}

async function compare(place: Place): Promise<Row[]> {
  const figures = await runInterleaved(rounds, [
    { name: 'log', run: () => logs(place, 1, APPENDS) },
    { name: 'bare', run: () => bare(place, 1, APPENDS) },
    { name: 'race', run: () => logs(place, WRITERS, EACH) },
    { name: 'bare race', run: () => bare(place, WRITERS, EACH) },
  ] as const);
  const row = (
    what: string,
    [ours, theirs]: readonly ['log' | 'race', 'bare' | 'bare race'],
    most: number,
  ) => {
    const [micros, bareMicros] = [ours, theirs].map((name) => median(figures.get(name) ?? []).toFixed(0));
    return {
      what: `${place.what}: ${what}`,
      figure: `${micros} µs : ${bareMicros} µs`,
      ratio: ratio(figures, ours, theirs),
      reach: { 'at-most': most },
    };
  };
  return [
    row('one writer', ['log', 'bare'], 2),
    row(`${WRITERS} writers of one stream`, ['race', 'bare race'], 2.5),
  ];
}

/** Time for each event, in µs. */
async function logs({ servers, replicas }: Place, writers: number, each: number): Promise<number> {
  const project = randomUUID();
  const open = () => openJetStreamLog({ servers, project, name: project, replicas });
  const all = await Promise.all(Array.from({ length: writers }, open));
  await all[0]?.append('s', [sampleEvent('s', 0)], { expectedVersion: 0 });
  const ms = await timeMs(() =>
    Promise.all(
      all.map(async (log) => {
        for (let n = 0; n < each; n += 1) await (writers > 1 ? decide(log, n) : append(log, n));
      }),
    ),
  );
  await Promise.all(all.map((log) => log.close()));
  return (ms * 1_000) / (writers * each);
}

async function append(log: EventLog, n: number): Promise<void> {
  await log.append('s', [sampleEvent('s', n)], { expectedVersion: n + 1 });
}

/** The same by hand. */
async function bare({ servers, replicas }: Place, writers: number, each: number): Promise<number> {
  const stream = `bare-${randomUUID()}`;
  const connections = await Promise.all(
    Array.from({ length: writers }, () => connect({ servers: [...servers] })),
  );
  const managers = await Promise.all(
    connections.map((connection) => jetstreamManager(connection, { checkAPI: false })),
  );
  await managers[0]?.streams.add({ name: stream, subjects: [stream], num_replicas: replicas });
  // The servers of a new stream may not have chosen their leader yet.
  await managers[0]?.jetstream().publish(stream, PAYLOAD, { retries: 40 });
  const ms = await timeMs(() =>
    Promise.all(
      managers.map(async (manager) => {
        for (let n = 0; n < each; n += 1)
          if (writers > 1) await publishNext(manager, stream);
          else await publishAfter(manager, stream, n + 1);
      }),
    ),
  );
  await Promise.all(connections.map((connection) => connection.close()));
  return (ms * 1_000) / (writers * each);
}

async function publishAfter(manager: JetStreamManager, stream: string, last: number): Promise<void> {
  await manager.jetstream().publish(stream, PAYLOAD, { expect: { lastSubjectSequence: last } });
}

/** After the newest message, again where another was first. */
async function publishNext(manager: JetStreamManager, stream: string): Promise<void> {
  for (;;) {
    const newest = await manager.streams.getMessage(stream, { last_by_subj: stream });
    try {
      await publishAfter(manager, stream, newest?.seq ?? 0);
      return;
    } catch (error) {
      if (troubleOf(error) !== 'outrun') throw error;
    }
  }
}
