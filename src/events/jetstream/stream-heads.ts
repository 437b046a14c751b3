import type { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../envelope.ts';
import { decodeLine } from '../line/chain-reader.ts';
import { EMPTY_HEAD, hashLine } from '../line/line-codec.ts';
import type { StreamHead } from '../log/event-log.ts';
import { logReplaced } from '../log/log-replaced.ts';
import type { Upcasters } from '../upcasters.ts';
import { decodeMessage } from './decode-message.ts';
import { fetchMessages, lastMessage } from './fetch-messages.ts';
import { checkpointStale } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { linesOf, placeAfter, type StoredMessage } from './message.ts';

/** The newest event of a stream, and the message it is in: 0 when there is none. */
export type SubjectHead = StreamHead & { readonly seq: number };

const NO_MESSAGE: SubjectHead = { ...EMPTY_HEAD, seq: 0 };

/** The newest event of a stream, as the server says it. */
export async function headOf(server: LogServer, stream: string): Promise<SubjectHead> {
  const last = await lastMessage(server, server.names.subjectOf(stream));
  return last ? headAfter(server, last) : NO_MESSAGE;
}

/** What stands in a stream after a message, and which of those ids are among it. */
export type News = { readonly head: SubjectHead; readonly known: ReadonlyMap<string, StoredEvent> };

/**
 * Reads a stream after `since`.
 *
 * @throws {CliffordError} `LOG_REPLACED` when that is no longer there.
 */
export async function newsOf(
  server: LogServer,
  { stream, since, ids }: { stream: string; since: SubjectHead; ids: ReadonlySet<string> },
  upcasters: Upcasters | undefined,
): Promise<News> {
  const subject = server.names.subjectOf(stream);
  const known = new Map<string, StoredEvent>();
  const last = await lastMessage(server, subject);
  if (!last && since.seq === 0) return { head: NO_MESSAGE, known };
  if (!last || last.seq < since.seq)
    throw replaced(server, stream, since, `it ends at message ${last?.seq ?? 0}`);
  // What is known already is read again: it shows that this is the log it was.
  for await (const messages of fetchMessages(server, {
    subject,
    after: Math.max(since.seq - 1, 0),
    until: last.seq,
  })) {
    for (const message of messages) {
      if (message.seq > since.seq)
        for (const event of eventsWith(server, message, ids, upcasters)) known.set(event.id, event);
      else if (placeAfter(message).proof !== since.hash)
        throw replaced(server, stream, since, 'a different message is there');
    }
  }
  return { head: headAfter(server, last), known };
}

function replaced(server: LogServer, stream: string, { seq }: SubjectHead, reason: string): CliffordError {
  return logReplaced(checkpointStale(server.name, `message ${seq} of stream ${stream}`, reason));
}

function headAfter(server: LogServer, message: StoredMessage): SubjectHead {
  const line = linesOf(message).at(-1) ?? '';
  const [{ streamversion: version } = NO_VERSION] = decodeMessage(
    server,
    { ...message, text: line },
    (text) => decodeLine(text),
  );
  return { version, hash: hashLine(line), seq: message.seq };
}

const NO_VERSION = { streamversion: 0 };

function eventsWith(
  server: LogServer,
  message: StoredMessage,
  ids: ReadonlySet<string>,
  upcasters: Upcasters | undefined,
): StoredEvent[] {
  const events = decodeMessage(server, message, (line) =>
    [...ids].some((id) => line.includes(id)) ? decodeLine(line, upcasters) : undefined,
  );
  return events.filter((event) => event !== undefined && ids.has(event.id)) as StoredEvent[];
}
