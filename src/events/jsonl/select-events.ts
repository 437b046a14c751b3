import { closeSync } from 'node:fs';
import { isAscii } from 'node:buffer';
import { streamOf, type StoredEvent } from '../envelope.ts';
import type { Selection } from '../log/event-log.ts';
import { ChainReader, decodeLine, UnreadableLine } from '../line/chain-reader.ts';
import { hashLine } from '../line/line-codec.ts';
import type { Upcasters } from '../upcasters.ts';
import { NEWLINE, subjectPrefix } from './line-bytes.ts';
import { lineDecoder } from './line-decoder.ts';
import type { Decoded } from './log-cursor.ts';
import { checkpointStale, knownPlace, lineError, MISSING } from './log-errors.ts';
import { START } from './place.ts';
import { readChunks, type Chunk } from './read-chunks.ts';
import { assertPlace, openForReading } from './read-log.ts';
import { endOfAppends, sizeOf } from './tail.ts';

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
): AsyncGenerator<readonly StoredEvent[]> {
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
    const pick = picker({ stream, types, after }, upcasters);
    for await (const chunk of readChunks(fd, path, from.position, end)) {
      const { events, fault } = pick(chunk);
      if (events.length > 0) yield events;
      if (fault) throw lineError(path, fd, fault);
    }
  } finally {
    closeSync(fd);
  }
}

/** What is selected of a chunk, and whether it can be read. */
function picker(
  { stream, types = new Set(), after }: Omit<Selection, 'until'>,
  upcasters: Upcasters | undefined,
): (chunk: Chunk) => Decoded {
  const marks = [subjectPrefix(stream), ...[...types].map((type) => `"type":"${type}"`)];
  const needles = marks.map((mark) => Buffer.from(mark));
  const head = after?.heads[stream];
  const chain = new ChainReader({ events: 0, heads: head ? { [stream]: head } : {} }, upcasters);
  const read = (line: string, bytes: Buffer): StoredEvent | undefined => {
    const event = decodeLine(line, upcasters);
    if (streamOf(event.subject) === stream) return chain.admit(event, () => hashLine(bytes));
    // What was looked for may stand nested in the data of another event.
    return types.has(event.type) ? event : undefined;
  };
  return ({ offset, bytes }) => {
    const events: StoredEvent[] = [];
    for (const start of linesWith(needles, bytes)) {
      const line = bytes.subarray(start, bytes.indexOf(NEWLINE, start));
      try {
        const event = read(lineDecoder(isAscii(line))(line), line);
        if (event) events.push(event);
      } catch (error) {
        if (!(error instanceof UnreadableLine)) throw error;
        return { events, fault: { offset: offset + start, reason: error.message, isNewer: error.isNewer } };
      }
    }
    return { events };
  };
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
