import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { Checkpoint, EventLog } from '../../../src/events/log/event-log.ts';
import { mayBeTriedAgain } from '../../../src/events/log/may-be-tried-again.ts';
import { OutcomeUnknownError } from '../../../src/events/log/outcome-unknown.ts';
import { openReopeningLog } from '../../../src/events/log/reopening-log.ts';
import { describeEventLog } from '../../events/log/event-log-contract.ts';
import { collect, reasonOf, skipped } from '../../events/sample-events.ts';
import { findNatsServer, HOW_TO_GET_NATS } from '../../helpers/nats-binary.ts';
import { NatsCluster } from '../../helpers/nats-cluster.ts';

const isMissing = findNatsServer('cluster') === undefined;

/** How often the server is killed that leads. */
const KILLS = 4;
const WRITERS = 3;

describe.skipIf(isMissing)(`three servers${isMissing ? ` (skipped: ${HOW_TO_GET_NATS})` : ''}`, () => {
  const cluster = new NatsCluster();
  beforeAll(() => cluster.start());
  afterAll(() => cluster.remove());

  const placeOf = (project: string) => ({
    servers: cluster.addresses,
    project,
    name: `nats://cluster/${project}`,
    replicas: 3,
  });

  describeEventLog('JetStream log with three replicas', async () => {
    const place = placeOf(randomUUID());
    return { open: (options) => openJetStreamLog({ ...place, ...options }) };
  });

  it(
    'what was acknowledged is there once and in order, and nothing that was refused, whatever leader is killed meanwhile',
    { timeout: 180_000 },
    async () => {
      const place = placeOf(randomUUID());
      const open = async () => {
        const log = await openReopeningLog(() => openJetStreamLog(place));
        onTestFinished(() => log.close());
        return log;
      };
      const [reader, ...writers] = await Promise.all(Array.from({ length: WRITERS + 1 }, open));
      if (!reader) throw new Error('No reader');
      await reader.append('s', [skipped('s', 'first')], { expectedVersion: 0 });
      const stop = new AbortController();
      const seen: (string | undefined)[] = [];
      const following = followOn(reader, stop.signal, (events) => seen.push(...events.map(reasonOf)));
      // A failure of the rest is told first.
      following.catch(() => undefined);
      onTestFinished(() => stop.abort());
      let isOver = false;
      const acknowledged: string[] = [];
      const unknown: string[] = [];
      const writing = writers.map(async (log, writer) => {
        for (let n = 0; !isOver; n += 1) {
          const reason = `${writer}:${n}`;
          try {
            const expectedVersion = n % 2 === 0 ? 'any' : await log.head('s');
            await log.append('s', [skipped('s', reason)], { expectedVersion });
            acknowledged.push(reason);
          } catch (error) {
            // Anything else that may be tried again says that it is not there.
            if (!mayBeTriedAgain(error)) throw error;
            if (error instanceof OutcomeUnknownError) unknown.push(reason);
          }
        }
      });
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = acknowledged.length;
        await cluster.killLeaderOf(`clifford-events-${place.project}`);
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
      }
      isOver = true;
      await Promise.all(writing);
      const there = (await collect((await open()).read())).map(reasonOf);
      expect(new Set(there).size).toBe(there.length);
      expect(acknowledged.filter((reason) => !there.includes(reason))).toEqual([]);
      const accounted = new Set(['first', ...acknowledged, ...unknown]);
      expect(there.filter((reason) => !accounted.has(reason ?? ''))).toEqual([]);
      await expect.poll(() => seen.length).toBe(there.length);
      expect(seen).toEqual(there);
      stop.abort();
      await following;
    },
  );
});

/** What comes in a log, from its start, as whoever follows it sees it: who is told to try again goes on where it was. */
async function followOn(
  log: EventLog,
  signal: AbortSignal,
  onEvents: (events: readonly StoredEvent[]) => void,
): Promise<void> {
  let after: Checkpoint | undefined;
  while (!signal.aborted) {
    try {
      for await (const batch of log.follow({ signal, ...(after ? { after } : {}) })) {
        onEvents(batch.events);
        after = batch.checkpoint();
      }
    } catch (error) {
      if (!mayBeTriedAgain(error)) throw error;
    }
  }
}
