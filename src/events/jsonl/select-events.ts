import { closeSync, readSync } from 'node:fs';
import { CliffordError } from '../../errors.ts';
import type { EventType } from '../catalog.ts';
import { decodeEvent } from '../decode-event.ts';
import { streamOf } from '../envelope.ts';
import type { StoredEvent } from '../envelope.ts';
import type { StreamHead } from '../event-log.ts';
import { EMPTY_HEAD, hashLine, MAX_LINE_BYTES, NEWLINE, subjectPrefix } from './line-codec.ts';
import { checkpointStale, lineError } from './log-errors.ts';
import { openForReading } from './read-log.ts';

/** Which events to look at: those of a stream, and those of some types in any stream, before the byte `end`. */
export type Selection = {
  readonly stream: string;
  readonly types: ReadonlySet<EventType>;
  readonly end: number;
};

const WINDOW_BYTES = 1_048_576;

/**
 * The selected events of the log at `path`, in order; the chain of `stream` is checked. Lines of neither kind are
 * skipped unparsed, so that this takes a tenth of what reading the log takes. At once, not in turns of the event loop:
 * half a second for 1,000,000 events.
 *
 * @throws {CliffordError} `LOG_CORRUPT`, `LOG_NEWER`, `LOG_INACCESSIBLE`; `CHECKPOINT_STALE`: no line ends at `end`.
 */
export function* selectEvents(path: string, { stream, types, end }: Selection): Generator<StoredEvent> {
  const fd = openForReading(path);
  if (fd === undefined) throw checkpointStale(path, end, 'the file is missing');
  const marks = [subjectPrefix(stream), ...[...types].map((type) => `"type":"${type}"`)];
  const needles = marks.map((mark) => Buffer.from(mark));
  let head = EMPTY_HEAD;
  try {
    for (const { offset, bytes } of windows(fd, path, end)) {
      for (const start of linesWith(needles, bytes)) {
        const line = bytes.subarray(start, bytes.indexOf(NEWLINE, start));
        const damaged = (reason: string) => lineError(path, fd, { offset: offset + start, reason });
        const event = decode(line, damaged);
        if (streamOf(event.subject) === stream) head = next(head, event, line, damaged);
        // What was looked for may stand nested in the data of another event.
        else if (!types.has(event.type)) continue;
        yield event;
      }
    }
  } finally {
    closeSync(fd);
  }
}

type Damaged = (reason: string) => CliffordError;

function decode(line: Buffer, damaged: Damaged): StoredEvent {
  let json: unknown;
  try {
    json = JSON.parse(line.toString('utf8'));
  } catch {
    throw damaged('it is not JSON');
  }
  try {
    return decodeEvent(json);
  } catch (error) {
    throw error instanceof CliffordError && error.code !== 'LOG_NEWER' ? damaged(error.message) : error;
  }
}

function next(head: StreamHead, event: StoredEvent, line: Buffer, damaged: Damaged): StreamHead {
  const { streamversion, prevhash } = event;
  if (streamversion !== head.version + 1 || prevhash !== head.hash) {
    throw damaged('it does not follow the line before it in its stream');
  }
  return { version: streamversion, hash: hashLine(line) };
}

/** The whole lines before `end`, many at a time. What was handed out is valid until the next is asked for. */
function* windows(fd: number, path: string, end: number): Generator<{ offset: number; bytes: Buffer }> {
  let buffer = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, end));
  for (let offset = 0; offset < end;) {
    const size = readSync(fd, buffer, 0, Math.min(buffer.length, end - offset), offset);
    const lines = buffer.subarray(0, size).lastIndexOf(NEWLINE) + 1;
    if (lines > 0) {
      yield { offset, bytes: buffer.subarray(0, lines) };
      offset += lines;
    } else if (size === buffer.length && size <= MAX_LINE_BYTES) {
      buffer = Buffer.allocUnsafe(buffer.length * 2);
    } else throw checkpointStale(path, end, 'no line ends there');
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
