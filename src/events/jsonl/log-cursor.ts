import { isAscii, isUtf8 } from 'node:buffer';
import { CliffordError } from '../../errors.ts';
import { decodeEvent } from '../decode-event.ts';
import { streamOf } from '../envelope.ts';
import type { StoredEvent } from '../envelope.ts';
import type { Checkpoint, EventBatch } from '../event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { followingOf, hasCanonicalSubject, hashLine, MAX_LINE_BYTES, NEWLINE } from './line-codec.ts';
import type { LineFault } from './log-errors.ts';
import type { Chunk } from './read-chunks.ts';

/** The events of a chunk; when a line of it cannot be read, those before it, and why. */
export type Decoded = { readonly events: StoredEvent[]; readonly fault?: LineFault };

const OUT_OF_ORDER = 'its attributes are not in their order';

/** Why one line cannot be read. Thrown and caught in this file only. */
class Unreadable extends Error {
  readonly isNewer: boolean;
  constructor(reason: string, isNewer = false) {
    super(reason);
    this.isNewer = isNewer;
  }
}

/**
 * Where a reader stands in a log: decodes chunk after chunk and checks every line's schema, its place in
 * the chain of its stream, and that appends are whole.
 */
export class LogCursor {
  #position: number;
  #proof: string;
  readonly #heads: Map<string, { version: number; hash: string }>;
  readonly #upcasters: Upcasters | undefined;
  #latest: readonly StoredEvent[] | undefined;
  /** How many events have to follow of the append that was begun, and in which stream. */
  #begun: { readonly stream: string; readonly following: number } | undefined;

  constructor(after: Checkpoint | undefined, upcasters?: Upcasters) {
    this.#position = after?.position ?? 0;
    this.#proof = after?.proof ?? '';
    this.#heads = new Map(Object.entries(after?.heads ?? {}).map(([stream, head]) => [stream, { ...head }]));
    this.#upcasters = upcasters;
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
    const heads = Object.fromEntries([...this.#heads].map(([stream, head]) => [stream, { ...head }]));
    return { position: this.#position, proof: this.#proof, heads };
  }

  /** Reads the lines of a chunk that begins at {@link position}. */
  take({ offset, bytes }: Chunk): Decoded {
    const events: StoredEvent[] = [];
    // Plain ASCII, which nearly every chunk is, needs no decoding and has one character per byte.
    const decode = isAscii(bytes) ? decodeAscii : decodeUtf8;
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, start);
      try {
        events.push(this.#read(bytes.subarray(start, end), decode));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return { events, fault: { offset: offset + start, reason: error.message, isNewer: error.isNewer } };
      }
      start = end + 1;
      this.#position = offset + start;
    }
    return { events };
  }

  #read(bytes: Buffer, decode: (bytes: Buffer) => string): StoredEvent {
    if (bytes.length > MAX_LINE_BYTES) throw new Unreadable(`it is longer than ${MAX_LINE_BYTES} bytes`);
    const line = decode(bytes);
    if (!line.startsWith('{') || !line.endsWith('}')) {
      throw new Unreadable(line.trim() === '' ? 'it is blank' : 'it is not one JSON object');
    }
    const event = this.#decode(line);
    // Looked for at the line's end, like its subject at the beginning.
    if (event.following !== undefined && followingOf(bytes) !== event.following)
      throw new Unreadable(OUT_OF_ORDER);
    const stream = streamOf(event.subject);
    const head = this.#heads.get(stream);
    const version = (head?.version ?? 0) + 1;
    if (event.streamversion !== version) {
      throw new Unreadable(
        `stream ${stream} is at version ${version - 1}, so streamversion ${version} ` +
          `was expected, it is ${event.streamversion}`,
      );
    }
    if (event.prevhash !== (head?.hash ?? '')) {
      throw new Unreadable(`its prevhash is not the hash of the line before it in stream ${stream}`);
    }
    this.#assertWhole(stream, event.following ?? 0);
    const hash = hashLine(bytes);
    if (head) {
      head.version = version;
      head.hash = hash;
    } else this.#heads.set(stream, { version, hash });
    this.#proof = hash;
    this.#begun = event.following === undefined ? undefined : { stream, following: event.following };
    return event;
  }

  /** Of an append that was begun, nothing may be missing once something else follows it. */
  #assertWhole(stream: string, following: number): void {
    const begun = this.#begun;
    if (!begun || (begun.stream === stream && begun.following === following + 1)) return;
    throw new Unreadable(
      `the line before it says that ${begun.following} more of its append follow, and this is not the next of them`,
    );
  }

  #decode(line: string): StoredEvent {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw new Unreadable('it is not JSON');
    }
    let event: StoredEvent;
    try {
      event = decodeEvent(json, this.#upcasters);
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      throw new Unreadable(error.message, error.code === 'LOG_NEWER');
    }
    if (!hasCanonicalSubject(line, event)) throw new Unreadable(OUT_OF_ORDER);
    return event;
  }
}

function decodeAscii(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Unreadable('it is not UTF-8');
  return bytes.toString('utf8');
}
