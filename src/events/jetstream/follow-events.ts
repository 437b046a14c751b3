import type { Checkpoint, EventBatch } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { EventReader } from './event-reader.ts';
import { followMessages } from './follow-messages.ts';
import type { LogServer } from './log-server.ts';

/**
 * Every event after `after` once and in order: what is there, then what comes. Ends when `signal` aborts. See
 * {@link followMessages}.
 *
 * @throws as `readEvents` and {@link followMessages} do.
 */
export async function* followEvents(
  server: LogServer,
  { after, signal }: { after?: Checkpoint | undefined; signal: AbortSignal },
  upcasters: Upcasters | undefined,
): AsyncGenerator<EventBatch> {
  if (signal.aborted) return;
  const reader = new EventReader(server, after, upcasters);
  for await (const messages of followMessages(server, { after: reader.place, signal }))
    yield reader.read(messages);
}
