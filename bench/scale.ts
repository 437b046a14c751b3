import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { openJetStreamLog } from '../src/events/jetstream/jetstream-log.ts';
import type { EventBatch, EventLog } from '../src/events/log/event-log.ts';
import { NatsProcess } from '../test/helpers/nats-process.ts';
import { median, quantile, timeMs } from './support/measure.ts';
import { processorSeconds } from './support/processor-time.ts';
import { residentBytes } from './support/held-by-process.ts';
import { sampleEvent } from './support/sample-events.ts';

/**
 * What 10,000 sprints under way and 1,000 workers cost the server of their log, on loopback and without syncs:
 * `npx node bench/scale.ts [sprints] [workers]` (Linux only: it reads `/proc`). It has no peer, and so no ratio: what it prints is what
 * the sizing of docs/scale-out.md rests on.
 */
const SPRINTS = Number(process.argv[2] ?? 10_000);
const WORKERS = Number(process.argv[3] ?? 1_000);
const EVENTS_PER_SPRINT = 30;
const GROUP = 10;
const AT_ONCE = 64;
const REST_S = 10;
/** Events that all workers are told of, and pauses between them, in ms. */
const NEWS = 50;
const NEWS_MS = 100;

const MB = 1_000_000;
const server = new NatsProcess();
await server.start();
const { pid = 0 } = server;
const address = { servers: [server.address], project: 'scale', name: 'scale' };
const logs: EventLog[] = [];
const following: Promise<void>[] = [];
const ended = new AbortController();
try {
  const writer = await open();
  const empty = residentBytes(pid);
  const sprints = Array.from({ length: SPRINTS }, (_, index) => `sprint-${index}`);
  const used = processorSeconds(pid);
  const ms = await timeMs(async () => {
    for (let from = 0; from < EVENTS_PER_SPRINT; from += GROUP)
      await inTurns(sprints, async (sprint) => {
        const events = Array.from({ length: GROUP }, (_, n) => sampleEvent(sprint, from + n));
        await writer.append(sprint, events, { expectedVersion: from });
      });
  });
  const count = SPRINTS * EVENTS_PER_SPRINT;
  say('events a second, groups of 10, one writer', ((count * 1_000) / ms).toFixed(0));
  say('processor of the server meanwhile', share(processorSeconds(pid) - used, ms / 1_000));
  const connection = await connect({ servers: server.address });
  const { state } = await (await jetstreamManager(connection)).streams.info('clifford-events-scale');
  await connection.close();
  say('events, subjects', `${count}, ${state.num_subjects}`);
  say('on disk', `${(state.bytes / MB).toFixed(0)} MB, ${(state.bytes / count).toFixed(0)} bytes an event`);
  const kept = residentBytes(pid);
  say(
    'memory of the server',
    `${(kept / MB).toFixed(0)} MB, of which ${((kept - empty) / MB).toFixed(0)} MB by the log`,
  );

  let last: EventBatch | undefined;
  const reading = await timeMs(async () => {
    for await (const batch of writer.read()) last = batch;
  });
  if (!last) throw new Error('the log is empty');
  const end = last.checkpoint();
  say('a reader without a snapshot', `${(reading / 1_000).toFixed(1)} s`);

  const heard: number[] = [];
  let sentAt = 0;
  const newest = Array.from({ length: WORKERS }, (_, index) => index);
  const opening = await timeMs(() => inTurns(newest, follow));
  say(
    'workers',
    `${WORKERS}, each a connection and a consumer; one is ready after ${(opening / WORKERS).toFixed(0)} ms`,
  );
  const ready = residentBytes(pid);
  say('memory of the server for a worker', `${((ready - kept) / WORKERS / 1_000).toFixed(0)} kB`);
  const atRest = processorSeconds(pid);
  await pause(REST_S * 1_000);
  say('processor of the server while nothing happens', share(processorSeconds(pid) - atRest, REST_S));
  const before = processorSeconds(pid);
  const telling = await timeMs(async () => {
    for (let n = 0; n < NEWS; n += 1) {
      sentAt = performance.now();
      await writer.append('news', [sampleEvent('news', n)], { expectedVersion: n });
      await pause(NEWS_MS);
    }
  });
  const cost = processorSeconds(pid) - before;
  say(
    'deliveries',
    `${heard.length}; of a processor ${((cost * 1_000_000) / heard.length).toFixed(1)} µs each`,
  );
  say('processor of the server meanwhile', share(cost, telling / 1_000));
  say(
    'until a worker has heard',
    `median ${median(heard).toFixed(0)} ms, p99 ${quantile(heard, 0.99).toFixed(0)} ms`,
  );

  /** As a worker does that has a snapshot of what is there. */
  async function follow(): Promise<void> {
    const log = await open();
    following.push(listen(log));
  }

  async function listen(log: EventLog): Promise<void> {
    for await (const { events } of log.follow({ after: end, signal: ended.signal }))
      for (const _ of events) heard.push(performance.now() - sentAt);
  }
} finally {
  ended.abort();
  await Promise.all(following);
  await Promise.all(logs.map((log) => log.close()));
  await server.remove();
}

async function open(): Promise<EventLog> {
  const log = await openJetStreamLog(address);
  logs.push(log);
  return log;
}

/** Does it for each of them, some at once. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

function share(seconds: number, of: number): string {
  return `${((seconds / of) * 100).toFixed(1)} % of a core`;
}

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(48)}${figure}`);
}
