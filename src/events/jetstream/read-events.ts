import { streamOf, type StoredEvent } from '../envelope.ts';
import type { EventBatch, ReadOptions } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { EventReader } from './event-reader.ts';
import { fetchMessages, lastMessage } from './fetch-messages.ts';
import type { LogServer } from './log-server.ts';

/** What is in the log now. @throws {CliffordError} as `EventLog.read`; `LOG_UNREACHABLE`. */
export async function* readEvents(
  server: LogServer,
  { after, stream, fromVersion = 1, toVersion = Infinity }: ReadOptions,
  upcasters: Upcasters | undefined,
): AsyncGenerator<EventBatch> {
  const reader = new EventReader(server, after, upcasters);
  const { all } = server.names;
  const last = await lastMessage(server, all);
  await reader.assertPlace(last);
  if (!last) return;
  const isWanted = (event: StoredEvent) =>
    streamOf(event.subject) === stream &&
    event.streamversion >= fromVersion &&
    event.streamversion <= toVersion;
  const isBeyond = (event: StoredEvent) =>
    streamOf(event.subject) === stream && event.streamversion >= toVersion;
  // What is new is often one message, which is here already.
  const batches =
    last.seq === reader.seq + 1
      ? [[last]]
      : fetchMessages(server, { subject: all, after: reader.seq, until: last.seq });
  for await (const messages of batches) {
    const batch = reader.read(messages);
    if (stream === undefined) yield batch;
    else {
      const events = batch.events.filter(isWanted);
      if (events.length > 0) yield { ...batch, events };
      if (batch.events.some(isBeyond)) return;
    }
  }
}
