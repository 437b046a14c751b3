import type { StoredEvent } from '../envelope.ts';
import { ChainReader } from '../line/chain-reader.ts';
import type { Checkpoint, EventBatch } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { assertStream, decodeMessage } from './decode-message.ts';
import { assertPlace } from './fetch-messages.ts';
import { checkpointStale } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { placeAfter, placeOf, tokenOf, type MessagePlace, type StoredMessage } from './message.ts';

/** Where a reader stands in the log: decodes message after message, and knows how to go on later. */
export class EventReader {
  readonly #server: LogServer;
  readonly #chain: ChainReader;
  #place: MessagePlace | undefined;
  #latest: readonly StoredEvent[] | undefined;

  /** Goes on after a checkpoint. @throws {CliffordError} `CHECKPOINT_STALE` when another kind of log made it. */
  constructor(server: LogServer, after: Checkpoint | undefined, upcasters: Upcasters | undefined) {
    this.#server = server;
    this.#place = after && knownPlace(server, after);
    this.#chain = new ChainReader(after, upcasters);
  }

  /** The place of the last message read; 0 before the first. */
  get seq(): number {
    return this.#place?.seq ?? 0;
  }

  /** The place after the last message read; `undefined` before the first. */
  get place(): MessagePlace | undefined {
    return this.#place;
  }

  /** @throws {CliffordError} `CHECKPOINT_STALE` when what was read is not in the log. `last`: its newest message. */
  async assertPlace(last: StoredMessage | undefined): Promise<void> {
    if (this.#place) await assertPlace(this.#server, this.#place, last);
  }

  /** The events of the next messages, each checked. */
  read(messages: readonly StoredMessage[]): EventBatch {
    const { names } = this.#server;
    const events = messages.flatMap((message) => {
      const stream = names.streamOf(message.subject);
      const read = decodeMessage(this.#server, message, (line) =>
        assertStream(this.#chain.read(line), stream),
      );
      this.#place = placeAfter(message);
      this.#server.note(this.#place);
      return read;
    });
    this.#latest = events;
    return { events, checkpoint: () => this.#checkpointAfter(events) };
  }

  #checkpointAfter(events: readonly StoredEvent[]): Checkpoint {
    if (this.#latest !== events || !this.#place)
      throw new Error('A batch was asked for its checkpoint after the next one was read');
    return { token: tokenOf(this.#place), events: this.#chain.events, heads: this.#chain.heads() };
  }
}

/** @throws {CliffordError} `CHECKPOINT_STALE` when another kind of log made it. */
export function knownPlace(server: LogServer, { token }: Pick<Checkpoint, 'token'>): MessagePlace {
  const place = placeOf(token);
  if (place) return place;
  throw checkpointStale(server.name, token, 'another log made this checkpoint');
}
