import { closeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventLog } from '../log/event-log.ts';
import type { Redactor } from '../secrets/redaction.ts';
import type { Upcasters } from '../upcasters.ts';
import { Appender } from './appender.ts';
import { EarlierAppend } from './earlier-append.ts';
import { LOCK_WAIT_MS } from './log-lock.ts';
import { FileChanges } from './file-changes.ts';
import { followLog } from './follow-log.ts';
import { LastSeen } from './last-seen.ts';
import { logClosed } from './log-errors.ts';
import { kernelIo, type LogIo } from './log-io.ts';
import { prepareEvents } from '../line/prepare-event.ts';
import { openForReading, readLog } from './read-log.ts';
import { selectEvents } from './select-events.ts';
import { rememberHeads, StreamHeads } from './stream-heads.ts';

/** How to open a log. */
export type JsonlLogOptions = {
  /** Replaces secrets in an event's data before it is written. */
  redact?: Redactor;
  /** Longest wait for another process's lock, in ms. Default {@link LOCK_WAIT_MS}. */
  lockWaitMs?: number;
  /** For tests: writes and syncs that fail. */
  io?: LogIo;
  /** For tests: other versions of events. */
  upcasters?: Upcasters;
};

/**
 * The log in the file `path`, one event per line, shared with any number of processes. Touches
 * nothing yet: a missing file is an empty log, made by the first append.
 *
 * Beyond the contract, appending rejects with `LOG_BUSY` when another process sits on the lock,
 * `LOG_CORRUPT` when the last line of the stream is damaged, `LOG_REPLACED` when the file is not the one that
 * was read or written before, and `LOG_INACCESSIBLE`.
 */
export async function openJsonlLog(path: string, options: JsonlLogOptions = {}): Promise<EventLog> {
  const file = resolve(path);
  const { redact, upcasters, io = kernelIo(), lockWaitMs = LOCK_WAIT_MS } = options;
  const closing = new AbortController();
  const seen = new LastSeen();
  const appender = new Appender({ path: file, io, lockWaitMs, seen, headsOf: rememberHeads(file) });

  return {
    async append(stream, events, { expectedVersion, isRetry = false }) {
      if (events.length === 0) return [];
      const prepared = prepareEvents(stream, events, redact);
      const earlier = isRetry ? new EarlierAppend(file, stream, prepared, upcasters) : undefined;
      return appender.append({ stream, expectedVersion, events: prepared, earlier });
    },

    async *read(readOptions = {}) {
      if (closing.signal.aborted) throw logClosed(file);
      yield* readLog(file, readOptions, { upcasters, seen });
    },

    async *select(selection) {
      if (closing.signal.aborted) throw logClosed(file);
      yield* selectEvents(file, selection, upcasters);
    },

    async *follow({ after, signal }) {
      if (closing.signal.aborted) throw logClosed(file);
      yield* followLog(
        file,
        { after, signal: AbortSignal.any([signal, closing.signal]) },
        { upcasters, seen },
      );
    },

    async changed({ signal }) {
      await nextChange(file, AbortSignal.any([signal, closing.signal]));
    },

    async head(stream) {
      if (closing.signal.aborted) throw logClosed(file);
      return headOf(file, stream);
    },

    async close() {
      closing.abort();
      await appender.close();
    },
  };
}

/** Resolves with the next change of the file, or when that is not waited for any more. */
async function nextChange(file: string, ending: AbortSignal): Promise<void> {
  const changes = new FileChanges(file);
  const stop = () => changes.close();
  ending.addEventListener('abort', stop, { once: true });
  if (ending.aborted) stop();
  await changes.next();
  ending.removeEventListener('abort', stop);
  stop();
}

/** The version of the newest event of a stream, as the file is now. */
async function headOf(file: string, stream: string): Promise<number> {
  const fd = openForReading(file);
  if (fd === undefined) return 0;
  try {
    const heads = new StreamHeads(file);
    return (await heads.catchUp(fd, stream)).version;
  } finally {
    closeSync(fd);
  }
}
