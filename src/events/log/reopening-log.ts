import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../envelope.ts';
import { ConflictError, type EventLog } from './event-log.ts';
import { findStored } from './find-stored.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/** Pauses before events are appended again of which nobody knows whether they are there, in ms: so often. */
const PAUSES_MS = [0, 10, 40, 160];
/** A handle that has waited for so long by itself, in ms, as for a server that is away, is asked nothing more: it would wait again. */
const LONGEST_MS = 5_000;

/**
 * A log on which an append is known to have happened or not: one of which nobody knows what became is tried again with
 * the same ids, by another handle where the one it failed on takes nothing more.
 *
 * An append rejects with {@link OutcomeUnknownError} only when all that was in vain, or when its log has waited long by itself.
 * Appends made at once keep their order unless one of them fails.
 */
export async function openReopeningLog(open: () => Promise<EventLog>): Promise<EventLog> {
  const reader = await open();
  let writer = reader;
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();

  /** Appends that failed together share one reopening. */
  const reopen = async (failed: EventLog) => {
    const next = await open();
    if (writer !== failed) return next.close();
    writer = next;
    // The first one goes on reading.
    if (failed !== reader) await failed.close();
  };

  const append: EventLog['append'] = async (stream, events, options) => {
    let unknown: OutcomeUnknownError | undefined;
    const since = performance.now();
    for (let tries = 0; ; tries += 1) {
      const used = writer;
      try {
        return await used.append(stream, events, unknown ? { ...options, isRetry: true } : options);
      } catch (error) {
        if (error instanceof OutcomeUnknownError) unknown = error;
        else if (!unknown || isSettledBy(error)) throw error;
        // Where there is no other handle, this one says once more that nobody knows.
        if (unknown.recovery === 'reopen') await reopen(used).catch(() => undefined);
        else if (performance.now() - since >= LONGEST_MS) throw unknown;
        const pauseMs = PAUSES_MS[tries];
        if (pauseMs === undefined) {
          const stored = await findStored(reader.select({ stream }), events).catch(() => []);
          if (stored.length > 0) return stored;
          throw unknown;
        }
        await pause(pauseMs);
      }
    }
  };

  return {
    append(...args) {
      if (isClosed) return reader.append(...args);
      const appending: Promise<readonly StoredEvent[]> = append(...args).finally(() =>
        underWay.delete(appending),
      );
      underWay.add(appending);
      return appending;
    },
    read: (options) => reader.read(options),
    select: (selection) => reader.select(selection),
    follow: (options) => reader.follow(options),
    changed: (options) => reader.changed(options),
    head: (stream) => reader.head(stream),
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      if (writer !== reader) await writer.close();
      await reader.close();
    },
  };
}

/**
 * Whether an append of which nobody knew what became has failed by this error of a later one: another writer was first,
 * the log is another one, or takes such events never. What is refused for now leaves open what became of the first.
 */
function isSettledBy(error: unknown): boolean {
  if (!(error instanceof CliffordError)) return true;
  return error instanceof ConflictError || ['LOG_REPLACED', 'EVENT_INVALID'].includes(error.code);
}
