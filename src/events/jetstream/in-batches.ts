import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { StoredMessage } from './message.ts';

/** What a batch has at most, in messages, and about, in UTF-16 units. */
export const BATCH_MESSAGES = 256;
const BATCH_LENGTH = 262_144;
/** How long a batch waits for more, in ms: a server of a cluster may count what has come as what is to come. */
const MORE_MS = 50;

/** What of a message is read: `pending`: how many more the server says there are. */
type Incoming = Pick<JsMsg, 'seq' | 'subject' | 'string'> & { readonly info: Pick<JsMsg['info'], 'pending'> };

/**
 * What a consumer brings, in batches of what is there at once. Ends with the message `until`, or with the consumer.
 *
 * @throws what the consumer does.
 */
export async function* inBatches(
  messages: AsyncIterable<Incoming>,
  until = Infinity,
): AsyncGenerator<StoredMessage[]> {
  const incoming = messages[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Incoming>> | undefined;
  for (;;) {
    const batch: StoredMessage[] = [];
    let length = 0;
    let isLast = false;
    const isWhole = new AbortController();
    const late = Promise.withResolvers<undefined>();
    try {
      for (let isFull = false; !isFull;) {
        next ??= incoming.next();
        const found = await (batch.length === 0 ? next : Promise.race([next, late.promise]));
        if (!found) break;
        next = undefined;
        isLast = found.done === true;
        if (found.done) break;
        const { seq, subject, info } = found.value;
        const text = found.value.string();
        if (batch.length === 0 && info.pending > 0)
          void pause(MORE_MS, undefined, { signal: isWhole.signal }).then(late.resolve, () => undefined);
        batch.push({ seq, subject, text });
        length += text.length;
        isLast = seq >= until;
        isFull = isLast || info.pending === 0 || batch.length >= BATCH_MESSAGES || length >= BATCH_LENGTH;
      }
    } finally {
      isWhole.abort();
    }
    if (batch.length > 0) yield batch;
    if (isLast) return;
  }
}
