import { setTimeout as pause } from 'node:timers/promises';
import type { Checkpoint, EventBatch } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { EventReader } from './event-reader.ts';
import { consumeMessages, lastMessage } from './fetch-messages.ts';
import type { LogServer } from './log-server.ts';
import { nextChange } from './next-change.ts';

/** Pause before another consumer is asked for where the one before brought nothing, in ms. */
const PAUSE_MS = 100;

/**
 * Every event after `after` once and in order: what is there, then what comes. Ends when `signal` aborts. The log need not
 * exist yet. Where the connection is lost, or the server is started again, it goes on where it was.
 *
 * @throws as `readEvents`; `CHECKPOINT_STALE`, too, when what was already read is no longer there; `LOG_UNREACHABLE` when the
 *   server is away for long.
 */
export async function* followEvents(
  server: LogServer,
  { after, signal }: { after?: Checkpoint | undefined; signal: AbortSignal },
  upcasters: Upcasters | undefined,
): AsyncGenerator<EventBatch> {
  if (signal.aborted) return;
  const { all } = server.names;
  const reader = new EventReader(server, after, upcasters);
  try {
    while (!signal.aborted) {
      const before = reader.seq;
      const last = await lastMessage(server, all);
      await reader.assertPlace(last);
      if (last) {
        for await (const messages of consumeMessages(server, { subject: all, after: before, signal })) {
          yield reader.read(messages);
          if (signal.aborted) return;
        }
      } else await firstMessage(server, signal);
      if (reader.seq === before) await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
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
