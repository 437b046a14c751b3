import type { EventLog } from '../log/event-log.ts';
import { prepareEvents } from '../line/prepare-event.ts';
import type { Redactor } from '../secrets/redaction.ts';
import type { Upcasters } from '../upcasters.ts';
import { Appender } from './appender.ts';
import type { Patience } from './connected.ts';
import { followEvents } from './follow-events.ts';
import { hasEventsStream } from './events-stream.ts';
import { logClosed } from './jetstream-errors.ts';
import type { LogAddress } from './log-address.ts';
import { LogServer } from './log-server.ts';
import { nextChange } from './next-change.ts';
import { readEvents } from './read-events.ts';
import { selectEvents } from './select-events.ts';
import { headOf } from './stream-heads.ts';

/** How to open a log. */
export type JetStreamLogOptions = LogAddress &
  Patience & {
    /** On how many servers of a cluster the log is kept, where it is not there yet: 1, 3 or 5. Default: 1. */
    readonly replicas?: number | undefined;
    /** Replaces secrets in an event's data before it is written. */
    readonly redact?: Redactor | undefined;
    /** For tests: other versions of events. */
    readonly upcasters?: Upcasters | undefined;
  };

/**
 * The log on a server with NATS JetStream, shared by any number of machines: one JetStream stream for a project, in it one
 * subject for each stream of events, one message for each append, or for several that waited together. Connects; the
 * stream is made by the first append.
 *
 * An append is acknowledged when the server has it, which need not mean that it is on a disk: see docs/scale-out.md.
 *
 * @throws {CliffordError} `LOG_UNREACHABLE`, `LOG_TLS_FAILED`, `LOG_FORBIDDEN`, `LOG_LOGIN_INVALID`, `LOG_SERVER_TOO_OLD`;
 *   `LOG_STREAM_UNFIT` when the stream may forget events. Appending rejects with these, too, and with `APPEND_TOO_LONG` and
 *   `LOG_REFUSED`.
 */
export async function openJetStreamLog(options: JetStreamLogOptions): Promise<EventLog> {
  const { redact, upcasters, replicas = 1 } = options;
  const server = await LogServer.connect(options, options);
  try {
    await hasEventsStream(server);
  } catch (error) {
    await server.close();
    throw error;
  }
  const appender = new Appender({ server, replicas, upcasters });
  const assertOpen = () => {
    if (server.closing.aborted) throw logClosed(server.name);
  };

  return {
    async append(stream, events, { expectedVersion, isRetry = false }) {
      if (events.length === 0) return [];
      const prepared = prepareEvents(stream, events, redact);
      return appender.append({ stream, expectedVersion, isRetry, events: prepared });
    },

    async *read(readOptions = {}) {
      assertOpen();
      yield* readEvents(server, readOptions, upcasters);
    },

    async *select(selection) {
      assertOpen();
      yield* selectEvents(server, selection, upcasters);
    },

    async *follow({ after, signal }) {
      assertOpen();
      const ending = AbortSignal.any([signal, server.closing]);
      yield* followEvents(server, { after, signal: ending }, upcasters);
    },

    changed: ({ signal }) => nextChange(server, signal),

    async head(stream) {
      assertOpen();
      return (await headOf(server, stream)).version;
    },

    async close() {
      server.end();
      await appender.close();
      await server.close();
    },
  };
}
