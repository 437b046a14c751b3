import { setTimeout as pause } from 'node:timers/promises';
import { assertPlace, consumeMessages, fetchMessages, lastMessage } from './fetch-messages.ts';
import type { LogServer } from './log-server.ts';
import { placeAfter, type MessagePlace, type StoredMessage } from './message.ts';
import { nextChange } from './next-change.ts';

/** Pause before another consumer is asked for where the one before brought nothing, in ms. */
const PAUSE_MS = 100;
/** How often whoever may make no consumer looks when nothing is heard, in ms. */
const LOOK_MS = 2_500;

/**
 * Every message of a log after a place once and in order, in batches: what is there, then what comes. Ends when `signal`
 * aborts. The log need not exist yet. Where the connection is lost, or the server is started again, it goes on where it was.
 *
 * @throws {CliffordError} `CHECKPOINT_STALE` when what was read is not in the log; `LOG_UNREACHABLE` when the server is away
 *   for long.
 */
export async function* followMessages(
  server: LogServer,
  { after, signal }: { readonly after: MessagePlace | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StoredMessage[]> {
  const { all } = server.names;
  let place = after;
  try {
    while (!signal.aborted) {
      const before = place?.seq ?? 0;
      const last = await lastMessage(server, all);
      if (place) await assertPlace(server, place, last);
      if (last) {
        const range = { subject: all, after: before, signal };
        const news = server.looksOnly ? lookForMessages(server, range) : consumeMessages(server, range);
        for await (const messages of news) {
          const newest = messages.at(-1);
          if (newest) place = placeAfter(newest);
          yield messages;
          if (signal.aborted) return;
        }
      } else await firstMessage(server, signal);
      if ((place?.seq ?? 0) === before) await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    // A log that is closed cannot be asked any more.
    if (!signal.aborted) throw error;
  }
}

/**
 * Messages after one, without a consumer: those that are there; where there are none, it waits for the next. What is heard of need not be
 * stored yet, or ever: it is looked for twice, and then now and then.
 */
async function* lookForMessages(
  server: LogServer,
  {
    subject,
    after,
    signal,
  }: { readonly subject: string; readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<StoredMessage[]> {
  for (let waitMs = LOOK_MS; !signal.aborted;) {
    const looked = new AbortController();
    const waiting = AbortSignal.any([signal, looked.signal]);
    try {
      // Listens before it looks.
      const heard = nextChange(server, waiting).then(() => PAUSE_MS);
      const last = await lastMessage(server, subject);
      // Fewer than there were: it was removed, which whoever goes on finds.
      if (last?.seq !== after)
        return yield* fetchMessages(server, { subject, after, until: last?.seq ?? after });
      const nothing = pause(waitMs, LOOK_MS, { signal: waiting }).catch(() => LOOK_MS);
      waitMs = await Promise.race([heard, nothing]);
    } finally {
      looked.abort();
    }
  }
}

/**
 * Resolves when there is a message in a log that was not there yet, or `signal` aborts.
 *
 * @throws {CliffordError} `LOG_UNREACHABLE` when the server is away for long.
 */
async function firstMessage(server: LogServer, signal: AbortSignal): Promise<void> {
  const found = new AbortController();
  let isLost = false;
  const offLink = server.onLink((change) => (isLost = change === 'lost'));
  try {
    const change = nextChange(server, AbortSignal.any([signal, found.signal]));
    // It may have come before somebody listened.
    if (await lastMessage(server, server.names.all)) found.abort();
    await change;
  } finally {
    offLink();
  }
  if (isLost) throw server.lost();
}
