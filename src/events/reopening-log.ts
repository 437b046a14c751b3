import { setTimeout as pause } from 'node:timers/promises';
import type { NewEvent } from './envelope.ts';
import type { EventLog } from './event-log.ts';
import { findStored } from './find-stored.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/** How often events are appended again of which nobody knows whether they are there, and the pauses before, in ms. */
const PAUSES_MS = [0, 10, 40, 160];

/**
 * A log on which an append is known to have happened or not: one of which nobody knows what became is tried again with
 * the same ids, by another handle where the one it failed on takes nothing more.
 *
 * An append rejects with {@link OutcomeUnknownError} only when all that was in vain.
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

  const storedOr = async (error: OutcomeUnknownError, stream: string, events: readonly NewEvent[]) => {
    const stored = await findStored(reader.select({ stream }), events);
    if (stored.length === 0) throw error;
    return stored;
  };

  return {
    async append(stream, events, options) {
      for (let tries = 0; ; tries += 1) {
        const used = writer;
        try {
          return await used.append(stream, events, tries === 0 ? options : { ...options, isRetry: true });
        } catch (error) {
          if (isClosed || !(error instanceof OutcomeUnknownError)) throw error;
          if (error.recovery === 'reopen') await reopen(used);
          const pauseMs = PAUSES_MS[tries];
          if (pauseMs === undefined) return await storedOr(error, stream, events);
          await pause(pauseMs);
        }
      }
    },
    read: (options) => reader.read(options),
    select: (selection) => reader.select(selection),
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
