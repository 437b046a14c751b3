import { DeliverPolicy, type ConsumerMessages, type StoredMsg } from '@nats-io/jetstream';
import { BATCH_MESSAGES, inBatches } from './in-batches.ts';
import { checkpointStale, logClosed, troubleOf, unreachable } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { placeAfter, type MessagePlace, type StoredMessage } from './message.ts';
import { searchMessages } from './search-messages.ts';

/** So few messages are asked for one by one: a consumer takes as long as three of them. */
const FEW = 8;
/** So many are asked for at once. */
const AT_ONCE = 128;
/** How often the server says that it has nothing new, in ms. Twice in vain, and the consumer is made anew. */
const HEARTBEAT_MS = 2_500;

/** Which messages: those of a subject, or of all, after one and up to one, which is there. */
export type Range = { readonly subject: string; readonly after: number; readonly until: number };

/** The newest message of a subject, or of all; `undefined` when there is none. */
export function lastMessage(server: LogServer, subject: string): Promise<StoredMessage | undefined> {
  return getMessage(server, { last_by_subj: subject });
}

/**
 * Makes sure that a place is of this log. `last`: its newest message.
 *
 * @throws {CliffordError} `CHECKPOINT_STALE`.
 */
export async function assertPlace(
  server: LogServer,
  { seq, proof }: MessagePlace,
  last: StoredMessage | undefined,
): Promise<void> {
  const stale = (reason: string) => checkpointStale(server.name, `message ${seq}`, reason);
  if (!last) throw stale('the log is empty');
  if (last.seq < seq) throw stale(`the log ends at message ${last.seq}`);
  const message = last.seq === seq ? last : await getMessage(server, { seq });
  if (!message || placeAfter(message).proof !== proof) throw stale('a different message is there');
}

/**
 * The messages of a range, in order, in batches.
 *
 * @throws {CliffordError} `LOG_UNREACHABLE`, `LOG_CLOSED`.
 */
export async function* fetchMessages(
  server: LogServer,
  { subject, after, until }: Range,
): AsyncGenerator<StoredMessage[]> {
  let seq = after;
  const isOfAll = subject === server.names.all;
  if (isOfAll && (until - after <= FEW || server.looksOnly))
    return yield* askForEach(server, { after, until });
  const next = (place: number) => getMessage(server, { seq: place + 1, next_by_subj: subject });
  if (server.looksOnly) return yield* searchMessages({ after, until }, next);
  // Whoever was outrun reads so what came in between: no slower than those who race with it.
  for (let few = 0; !isOfAll && few < FEW && seq < until; few += 1) {
    const message = await next(seq);
    if (!message) return;
    seq = message.seq;
    yield [message];
  }
  while (seq < until) {
    for await (const batch of consumeMessages(server, {
      subject,
      after: seq,
      until,
      signal: server.closing,
    })) {
      seq = batch.at(-1)?.seq ?? seq;
      yield batch;
    }
    if (server.closing.aborted) throw logClosed(server.name);
  }
}

/** The messages of a range of all, each asked for by its place. */
async function* askForEach(
  server: LogServer,
  { after, until }: Omit<Range, 'subject'>,
): AsyncGenerator<StoredMessage[]> {
  for (let seq = after; seq < until; seq += AT_ONCE) {
    const places = Array.from({ length: Math.min(until - seq, AT_ONCE) }, (_, index) => seq + 1 + index);
    const found = await Promise.all(places.map((place) => getMessage(server, { seq: place })));
    const batch = found.filter((message) => message !== undefined);
    if (batch.length > 0) yield batch;
  }
}

/**
 * The messages of a subject, or of all, after one, in order: up to `until`, or as they come, until `signal` aborts. Ends
 * early when the server may have lost the consumer: go on after the last message with another one.
 *
 * @throws {CliffordError} `LOG_UNREACHABLE` when the connection was lost and is not made again for long, or the stream is not there.
 */
export async function* consumeMessages(
  server: LogServer,
  {
    subject,
    after,
    until = Infinity,
    signal,
  }: Omit<Range, 'until'> & { until?: number; signal: AbortSignal },
): AsyncGenerator<StoredMessage[]> {
  if (signal.aborted) return;
  const { consumer, messages } = await consume(server, subject, after);
  const stop = () => messages.stop();
  let isLost = false;
  // Another consumer is quicker than finding out what became of this one.
  const offLink = server.onLink((change) => {
    isLost = change === 'lost';
    stop();
  });
  void stopWhenSilent(messages);
  signal.addEventListener('abort', stop, { once: true });
  // It may have aborted while the consumer was made.
  if (signal.aborted) stop();
  try {
    for await (const batch of inBatches(messages, until)) {
      if (signal.aborted) return;
      yield batch;
    }
  } catch (error) {
    // The server was started again, or has another leader: whoever goes on finds out what is there.
    if (troubleOf(error) === undefined) throw error;
  } finally {
    offLink();
    signal.removeEventListener('abort', stop);
    stop();
    consumer.delete().catch(() => undefined);
  }
  if (isLost) throw server.lost();
}

/** A consumer of the messages after one, and what it brings. */
async function consume(server: LogServer, subject: string, after: number) {
  const { jetstream, names, name } = server;
  try {
    return await server.ask('read', async () => {
      const consumer = await jetstream.consumers.get(names.stream, {
        filter_subjects: subject,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: after + 1,
      });
      const messages = await consumer.consume({
        max_messages: BATCH_MESSAGES,
        idle_heartbeat: HEARTBEAT_MS,
        abort_on_missing_resource: true,
      });
      return { consumer, messages };
    });
  } catch (error) {
    if (troubleOf(error) !== 'no-stream') throw error;
    // It was removed, or a server of the cluster does not know of it yet.
    throw unreachable(name, `Cannot read ${name}: its stream is not there`, error);
  }
}

async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  // A server of a cluster says that a consumer is made before it can be asked.
  const signs: readonly string[] = ['heartbeats_missed', 'no_responders'];
  for await (const { type } of messages.status()) if (signs.includes(type)) messages.stop();
}

/** One message. A stream that is not there has none. */
async function getMessage(
  server: LogServer,
  query: { last_by_subj: string } | { seq: number; next_by_subj?: string },
): Promise<StoredMessage | undefined> {
  const { manager, names } = server;
  let found: StoredMsg | null;
  try {
    found = await server.ask('read', () => manager.streams.getMessage(names.stream, query));
  } catch (error) {
    if (troubleOf(error) === 'no-stream') return undefined;
    throw error;
  }
  return found ? { seq: found.seq, subject: found.subject, text: found.string() } : undefined;
}
