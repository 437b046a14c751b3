import { setTimeout as pause } from 'node:timers/promises';
import { assertPlace, consumeMessages, lastMessage } from './fetch-messages.ts';
import type { LogServer } from './log-server.ts';
import { placeAfter, type Place, type StoredMessage } from './message.ts';
import { nextChange } from './next-change.ts';

/** Pause before another consumer is asked for where the one before brought nothing, in ms. */
const PAUSE_MS = 100;

/**
 * Every message of a log after a place once and in order, in batches: what is there, then what comes. Ends when `signal`
 * aborts. The log need not exist yet. Where the connection is lost, or the server is started again, it goes on where it was.
 *
 * @throws {CliffordError} `CHECKPOINT_STALE` when what was read is not in the log; `LOG_UNREACHABLE` when the server is away
 *   for long.
 */
export async function* followMessages(
  server: LogServer,
  { after, signal }: { readonly after: Place | undefined; readonly signal: AbortSignal },
): AsyncGenerator<StoredMessage[]> {
  const { all } = server.names;
  let place = after;
  try {
    while (!signal.aborted) {
      const before = place?.seq ?? 0;
      const last = await lastMessage(server, all);
      if (place) await assertPlace(server, place, last);
      if (last) {
        for await (const messages of consumeMessages(server, { subject: all, after: before, signal })) {
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

/** Resolves when there is a message in a log that was not there yet, or `signal` aborts. */
async function firstMessage(server: LogServer, signal: AbortSignal): Promise<void> {
  const found = new AbortController();
  const change = nextChange(server, AbortSignal.any([signal, found.signal]));
  // It may have come before somebody listened.
  if (await lastMessage(server, server.names.all)) found.abort();
  await change;
}
