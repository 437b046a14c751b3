import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { EventLog } from '../../events/event-log.ts';

/**
 * A log that is opened anew for writing after a write of which nobody knows what became. An append that
 * failed so is looked for by the ids of its events: it rejects only when they are not there, and may be
 * tried again then.
 */
export async function openReopeningLog(open: () => Promise<EventLog>): Promise<EventLog> {
  const reader = await open();
  let writer = reader;
  let isClosed = false;

  /** Appends that failed together share one reopening. */
  const reopen = async (failed: EventLog) => {
    const next = await open();
    if (writer !== failed || isClosed) return next.close();
    writer = next;
    // The first one goes on reading.
    if (failed !== reader) await failed.close();
  };

  return {
    async append(stream, events, options) {
      const used = writer;
      try {
        return await used.append(stream, events, options);
      } catch (error) {
        // One that was replaced is not this one any more, however often it is opened.
        if (isClosed || !isUnknownOutcome(error)) throw error;
        await reopen(used);
        const stored = await findStored(reader, stream, new Set(events.map(({ id }) => id)));
        if (stored.length < events.length) throw error;
        return stored;
      }
    },
    read: (options) => reader.read(options),
    follow: (options) => reader.follow(options),
    changed: (options) => reader.changed(options),
    head: (stream) => reader.head(stream),
    async close() {
      isClosed = true;
      if (writer !== reader) await writer.close();
      await reader.close();
    },
  };
}

/** A write or a sync failed, so that nobody knows what is on disk. */
function isUnknownOutcome(error: unknown): boolean {
  return error instanceof CliffordError && error.code === 'LOG_POISONED';
}

/** The events of a stream with these ids. */
async function findStored(
  log: EventLog,
  stream: string,
  ids: ReadonlySet<string>,
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const { events } of log.read({ stream })) found.push(...events.filter(({ id }) => ids.has(id)));
  return found;
}
