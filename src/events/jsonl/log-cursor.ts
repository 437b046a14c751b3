import { isAscii } from 'node:buffer';
import type { StoredEvent } from '../envelope.ts';
import type { Checkpoint, EventBatch } from '../log/event-log.ts';
import { ChainReader, UnreadableLine } from '../line/chain-reader.ts';
import { hashLine } from '../line/line-codec.ts';
import type { Upcasters } from '../upcasters.ts';
import { NEWLINE } from './line-bytes.ts';
import { lineDecoder } from './line-decoder.ts';
import type { LineFault } from './log-errors.ts';
import { START, tokenOf, type FilePlace } from './place.ts';
import type { Chunk } from './read-chunks.ts';

/** The events of a chunk; when a line of it cannot be read, those before it, and why. */
export type Decoded = { readonly events: StoredEvent[]; readonly fault?: LineFault };

/** A checkpoint of this log, and the place that its token names. */
export type KnownCheckpoint = { readonly checkpoint: Checkpoint; readonly place: FilePlace };

/** Where a reader stands in the file: decodes chunk after chunk, and knows how to go on later. */
export class LogCursor {
  #position: number;
  #proof: string;
  readonly #chain: ChainReader;
  #latest: readonly StoredEvent[] | undefined;

  constructor(after: KnownCheckpoint | undefined, upcasters?: Upcasters) {
    ({ position: this.#position, proof: this.#proof } = after?.place ?? START);
    this.#chain = new ChainReader(after?.checkpoint, upcasters);
  }

  /** Offset of the first line not yet read. */
  get position(): number {
    return this.#position;
  }

  /** Hash of the last line read. */
  get proof(): string {
    return this.#proof;
  }

  /** What was just read. Its checkpoint can be had until the next batch is made. */
  batch(events: readonly StoredEvent[]): EventBatch {
    this.#latest = events;
    const checkpoint = () => {
      if (this.#latest === events) return this.checkpoint();
      throw new Error('A batch was asked for its checkpoint after the next one was read');
    };
    return { events, checkpoint };
  }

  /** Where this cursor stands now. Copies the heads. */
  checkpoint(): Checkpoint {
    return { token: tokenOf(this), events: this.#chain.events, heads: this.#chain.heads() };
  }

  /** Reads the lines of a chunk that begins at {@link position}. */
  take({ offset, bytes }: Chunk): Decoded {
    const events: StoredEvent[] = [];
    const decode = lineDecoder(isAscii(bytes));
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, start);
      try {
        events.push(this.#read(bytes.subarray(start, end), decode));
      } catch (error) {
        if (!(error instanceof UnreadableLine)) throw error;
        return { events, fault: { offset: offset + start, reason: error.message, isNewer: error.isNewer } };
      }
      start = end + 1;
      this.#position = offset + start;
    }
    return { events };
  }

  #read(bytes: Buffer, decode: (bytes: Buffer) => string): StoredEvent {
    return this.#chain.read(decode(bytes), () => (this.#proof = hashLine(bytes)));
  }
}
