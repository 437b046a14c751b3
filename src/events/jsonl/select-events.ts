import { closeSync } from 'node:fs';
import { isAscii } from 'node:buffer';
import type { EventType } from '../catalog.ts';
import { streamOf, type StoredEvent } from '../envelope.ts';
import type { Bookmark, SelectedBatch, Selection } from '../log/event-log.ts';
import { ChainReader, decodeLine, UnreadableLine } from '../line/chain-reader.ts';
import { hashLine } from '../line/line-codec.ts';
import type { Upcasters } from '../upcasters.ts';
import { NEWLINE, subjectPrefix } from './line-bytes.ts';
import { lineDecoder } from './line-decoder.ts';
import type { Decoded } from './log-cursor.ts';
import { checkpointStale, knownPlace, lineError, MISSING } from './log-errors.ts';
import { START, tokenOf } from './place.ts';
import { readChunks, type Chunk } from './read-chunks.ts';
import { assertPlace, openForReading } from './read-log.ts';
import { endOfAppends, sizeOf } from './tail.ts';

/** After so many pieces of the file without a selected event there is a batch without one: 256 KB. */
const QUIET_PIECES = 16;

/**
 * The selected events of the log at `path`, in order; the chain of the stream is checked. Lines that are not asked for
 * are skipped unparsed, so that this takes a tenth of what reading the log takes: half a second for 1,000,000 events.
 *
 * @throws as `readLog`.
 */
export async function* selectEvents(
  path: string,
  { stream, types, after, until }: Selection,
  upcasters?: Upcasters,
): AsyncGenerator<SelectedBatch> {
  const from = after ? knownPlace(path, after) : START;
  const to = until && knownPlace(path, until);
  const fd = openForReading(path);
  if (fd === undefined) {
    const position = Math.max(from.position, to?.position ?? 0);
    if (position > 0) throw checkpointStale(path, position, MISSING);
    return;
  }
  try {
    for (const place of [from, to]) if (place) assertPlace(fd, path, place);
    const end = to?.position ?? endOfAppends(fd, sizeOf(fd));
    const picker = new Picker({ stream, types, after }, upcasters);
    let quiet = 0;
    for await (const chunk of readChunks(fd, path, from.position, end)) {
      const { events, fault } = picker.pick(chunk);
      quiet = events.length > 0 ? 0 : quiet + 1;
      const isDue = events.length > 0 || (!fault && quiet % QUIET_PIECES === 0);
      if (isDue) yield { events, bookmark: picker.bookmarker(chunk, fault?.offset) };
      if (fault) throw lineError(path, fd, fault);
    }
  } finally {
    closeSync(fd);
  }
}

/** Says what is selected of each chunk, whether it can be read, and how to go on after it. */
class Picker {
  readonly #stream: string;
  readonly #types: ReadonlySet<EventType>;
  readonly #needles: readonly Buffer[];
  readonly #chain: ChainReader;
  readonly #upcasters: Upcasters | undefined;
  #latest: Chunk | undefined;

  constructor(
    { stream, types = new Set(), after }: Omit<Selection, 'until'>,
    upcasters: Upcasters | undefined,
  ) {
    this.#stream = stream;
    this.#types = types;
    const marks = [subjectPrefix(stream), ...[...types].map((type) => `"type":"${type}"`)];
    this.#needles = marks.map((mark) => Buffer.from(mark));
    const head = after?.heads[stream];
    this.#chain = new ChainReader({ events: 0, heads: head ? { [stream]: head } : {} }, upcasters);
    this.#upcasters = upcasters;
  }

  pick(chunk: Chunk): Decoded {
    this.#latest = chunk;
    const { offset, bytes } = chunk;
    const events: StoredEvent[] = [];
    for (const start of linesWith(this.#needles, bytes)) {
      const line = bytes.subarray(start, bytes.indexOf(NEWLINE, start));
      try {
        const event = this.#read(line);
        if (event) events.push(event);
      } catch (error) {
        if (!(error instanceof UnreadableLine)) throw error;
        return { events, fault: { offset: offset + start, reason: error.message, isNewer: error.isNewer } };
      }
    }
    return { events };
  }

  /** Makes the bookmark at the end of a chunk, or where a line of it cannot be read, until the next chunk is picked. */
  bookmarker(chunk: Chunk, faultAt?: number): () => Bookmark {
    const position = faultAt ?? chunk.offset + chunk.bytes.length;
    return () => {
      if (this.#latest !== chunk)
        throw new Error('A batch was asked for its bookmark after the next one was read');
      const lines = chunk.bytes.subarray(0, position - chunk.offset - 1);
      const proof = hashLine(lines.subarray(lines.lastIndexOf(NEWLINE) + 1));
      return { token: tokenOf({ position, proof }), heads: this.#chain.heads() };
    };
  }

  #read(bytes: Buffer): StoredEvent | undefined {
    const event = decodeLine(lineDecoder(isAscii(bytes))(bytes), this.#upcasters);
    if (streamOf(event.subject) === this.#stream) return this.#chain.admit(event, () => hashLine(bytes));
    // What was looked for may stand nested in the data of another event.
    return this.#types.has(event.type) ? event : undefined;
  }
}

/** Where the lines begin that contain one of `needles`, in order. */
function linesWith(needles: readonly Buffer[], bytes: Buffer): readonly number[] {
  const starts = new Set<number>();
  for (const needle of needles) {
    for (let at = bytes.indexOf(needle); at !== -1;) {
      starts.add(bytes.lastIndexOf(NEWLINE, at) + 1);
      at = bytes.indexOf(needle, bytes.indexOf(NEWLINE, at));
    }
  }
  return [...starts].sort((a, b) => a - b);
}
