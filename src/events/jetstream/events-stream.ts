import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { troubleOf } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { requireServerVersion } from './server-version.ts';
import { assertFit } from './stream-fit.ts';

/** How long the server knows the ids of messages: 1 h, in ns. */
const DUPLICATE_WINDOW_NS = 3_600_000_000_000;

/** What the stream of a log has to be, so that nothing that was acknowledged is lost, and it takes what comes as long as there is room: how much that is may be said (`max_bytes`). */
const NEEDED = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_age: 0,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  deny_delete: true,
  deny_purge: true,
} as const satisfies Partial<StreamConfig>;

/** Whether the stream of the log is there, and is what it has to be. @throws {CliffordError} `LOG_STREAM_UNFIT`, `LOG_SERVER_TOO_OLD`. */
export async function hasEventsStream(server: LogServer): Promise<boolean> {
  try {
    const { config } = await server.ask('open', () => server.streamInfo());
    assertFit(fitting(server), config);
    requireServerVersion(server.name, server.version, config.num_replicas);
    return true;
  } catch (error) {
    if (troubleOf(error) === 'no-stream') return false;
    throw error;
  }
}

/**
 * Makes the stream of the log.
 *
 * @param replicas - On how many servers of a cluster it is kept.
 * @throws {CliffordError} `LOG_STREAM_UNFIT`, `LOG_SERVER_TOO_OLD`.
 */
export async function makeEventsStream(server: LogServer, replicas: number): Promise<void> {
  const { manager, names } = server;
  requireServerVersion(server.name, server.version, replicas);
  const { config } = await server.ask('make', () =>
    manager.streams.add({
      ...NEEDED,
      name: names.stream,
      description: 'Events of a Clifford project',
      subjects: [names.all],
      max_bytes: -1,
      num_replicas: replicas,
      duplicate_window: DUPLICATE_WINDOW_NS,
    }),
  );
  assertFit(fitting(server), config);
}

function fitting({ name, names }: LogServer) {
  return { name, stream: names.stream, subject: names.all, needed: NEEDED, duty: 'keep every event' };
}
