import { CliffordError } from '../../errors.ts';
import { decodeEvent } from '../decode-event.ts';
import { streamOf, type StoredEvent } from '../envelope.ts';
import type { Checkpoint, StreamHead } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { followingOf, hasCanonicalSubject, hashLine } from './line-codec.ts';

const OUT_OF_ORDER = 'its attributes are not in their order';

/** Why one line cannot be read. An engine says where it stands, and throws `LOG_CORRUPT` or `LOG_NEWER`. */
export class UnreadableLine extends Error {
  /** The line is sound, but only a newer Clifford understands it. */
  readonly isNewer: boolean;
  constructor(reason: string, isNewer = false) {
    super(reason);
    this.isNewer = isNewer;
  }
}

/**
 * Reads the lines of a log in their order, wherever they are kept: checks each one's schema, its place in the chain of
 * its stream, and that appends are whole. Old data is brought up to date.
 */
export class ChainReader {
  readonly #heads: Map<string, { version: number; hash: string }>;
  readonly #upcasters: Upcasters | undefined;
  #events: number;
  /** How many events have to follow of the append that was begun, and in which stream. */
  #begun: { readonly stream: string; readonly following: number } | undefined;

  /** Goes on after a checkpoint of the log. */
  constructor(after: Pick<Checkpoint, 'events' | 'heads'> | undefined, upcasters?: Upcasters) {
    this.#events = after?.events ?? 0;
    this.#heads = new Map(Object.entries(after?.heads ?? {}).map(([stream, head]) => [stream, { ...head }]));
    this.#upcasters = upcasters;
  }

  /** How many events lie before the next one. */
  get events(): number {
    return this.#events;
  }

  /** The newest event of each stream. A copy. */
  heads(): Readonly<Record<string, StreamHead>> {
    return Object.fromEntries([...this.#heads].map(([stream, head]) => [stream, { ...head }]));
  }

  /**
   * The event of the next line, which stands there without a newline. `hash`: of the line, if its bytes are at hand.
   *
   * @throws {UnreadableLine}
   */
  read(line: string, hash: () => string = () => hashLine(line)): StoredEvent {
    return this.admit(decodeLine(line, this.#upcasters), hash);
  }

  /**
   * Takes the next event, whose line has this hash, if that is its place.
   *
   * @throws {UnreadableLine}
   */
  admit(event: StoredEvent, hash: () => string): StoredEvent {
    const stream = streamOf(event.subject);
    const head = this.#heads.get(stream);
    const version = (head?.version ?? 0) + 1;
    if (event.streamversion !== version) {
      throw new UnreadableLine(
        `stream ${stream} is at version ${version - 1}, so streamversion ${version} ` +
          `was expected, it is ${event.streamversion}`,
      );
    }
    if (event.prevhash !== (head?.hash ?? '')) {
      throw new UnreadableLine(`its prevhash is not the hash of the line before it in stream ${stream}`);
    }
    this.#assertWhole(stream, event.following ?? 0);
    if (head) {
      head.version = version;
      head.hash = hash();
    } else this.#heads.set(stream, { version, hash: hash() });
    this.#events += 1;
    this.#begun = event.following === undefined ? undefined : { stream, following: event.following };
    return event;
  }

  /** Of an append that was begun, nothing may be missing once something else follows it. */
  #assertWhole(stream: string, following: number): void {
    const begun = this.#begun;
    if (!begun || (begun.stream === stream && begun.following === following + 1)) return;
    throw new UnreadableLine(
      `the line before it says that ${begun.following} more of its append follow, and this is not the next of them`,
    );
  }
}

/**
 * The event of a line, whatever its place.
 *
 * @throws {UnreadableLine}
 */
export function decodeLine(line: string, upcasters?: Upcasters): StoredEvent {
  if (!line.startsWith('{') || !line.endsWith('}')) {
    throw new UnreadableLine(line.trim() === '' ? 'it is blank' : 'it is not one JSON object');
  }
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new UnreadableLine('it is not JSON');
  }
  let event: StoredEvent;
  try {
    event = decodeEvent(json, upcasters);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    throw new UnreadableLine(error.message, error.code === 'LOG_NEWER');
  }
  if (!hasCanonicalSubject(line, event)) throw new UnreadableLine(OUT_OF_ORDER);
  // Looked for at the line's end, like its subject at the beginning.
  if (event.following !== undefined && followingOf(line) !== event.following)
    throw new UnreadableLine(OUT_OF_ORDER);
  return event;
}
