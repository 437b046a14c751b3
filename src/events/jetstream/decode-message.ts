import { streamOf, type StoredEvent } from '../envelope.ts';
import { UnreadableLine } from '../line/chain-reader.ts';
import { unreadableMessage } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { linesOf, type StoredMessage } from './message.ts';

/**
 * What `read` makes of each line of a message, in order.
 *
 * @throws {CliffordError} `LOG_CORRUPT` or `LOG_NEWER` where it throws `UnreadableLine`.
 */
export function decodeMessage<T>(
  { name }: Pick<LogServer, 'name'>,
  message: StoredMessage,
  read: (line: string) => T,
): T[] {
  try {
    return linesOf(message).map((line) => read(line));
  } catch (error) {
    if (error instanceof UnreadableLine) throw unreadableMessage(name, message, error);
    throw error;
  }
}

/** @throws {UnreadableLine} when an event lies under the subject of another stream. */
export function assertStream(event: StoredEvent, stream: string): StoredEvent {
  if (streamOf(event.subject) === stream) return event;
  throw new UnreadableLine(`its subject is ${event.subject}, that of another stream`);
}
