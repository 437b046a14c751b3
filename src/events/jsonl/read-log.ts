import { closeSync } from 'node:fs';
import { openPlainFile } from '../../lib/files/plain-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import { streamOf, type StoredEvent } from '../envelope.ts';
import type { EventBatch, ReadOptions } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { LogCursor } from './log-cursor.ts';
import type { LastSeen } from './last-seen.ts';
import { checkpointStale, knownPlace, lineError, logInaccessible, MISSING } from './log-errors.ts';
import { placeFault } from './place-check.ts';
import type { FilePlace } from './place.ts';
import { readChunks } from './read-chunks.ts';
import { endOfAppends, sizeOf } from './tail.ts';

/** How a log is read: with which versions of events, and who wants to know how far. */
export type Reading = { readonly upcasters?: Upcasters | undefined; readonly seen?: LastSeen };

/**
 * What is in the log at `path` now. A missing file is an empty log.
 *
 * @throws {CliffordError} as `EventLog.read`, after the events before a damaged line; `LOG_INACCESSIBLE`.
 */
export async function* readLog(
  path: string,
  options: ReadOptions,
  { upcasters, seen }: Reading = {},
): AsyncGenerator<EventBatch> {
  const { after, stream, toVersion = Infinity } = options;
  const place = after && knownPlace(path, after);
  const fd = openForReading(path);
  if (fd === undefined) {
    if (place && place.position > 0) throw checkpointStale(path, place.position, MISSING);
    return;
  }
  try {
    if (place) assertPlace(fd, path, place);
    const cursor = new LogCursor(after && place && { checkpoint: after, place }, upcasters);
    for await (const events of readFrom(fd, path, cursor)) {
      seen?.note(cursor.position, cursor.proof);
      const wanted = stream === undefined ? events : selectVersions(events, stream, options);
      if (wanted.length > 0) yield cursor.batch(wanted);
      if (stream !== undefined && hasReached(events, stream, toVersion)) return;
    }
  } finally {
    closeSync(fd);
  }
}

/** The events after `cursor`, chunk by chunk, to the end of the last whole append. Moves the cursor. */
export async function* readFrom(fd: number, file: string, cursor: LogCursor): AsyncGenerator<StoredEvent[]> {
  const end = endOfAppends(fd, sizeOf(fd));
  for await (const chunk of readChunks(fd, file, cursor.position, end)) {
    const { events, fault } = cursor.take(chunk);
    if (events.length > 0) yield events;
    if (fault) throw lineError(file, fd, fault);
  }
}

/**
 * A descriptor for reading, or `undefined` when there is no file.
 *
 * @throws {CliffordError} `LOG_INACCESSIBLE`
 */
export function openForReading(path: string): number | undefined {
  try {
    return openPlainFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw logInaccessible(path, error);
  }
}

/** @throws {CliffordError} `CHECKPOINT_STALE` when a place is not, or no longer, one of this file. */
export function assertPlace(fd: number, path: string, place: FilePlace): void {
  const fault = placeFault(fd, place);
  if (fault) throw checkpointStale(path, place.position, fault);
}

function selectVersions(
  events: readonly StoredEvent[],
  stream: string,
  { fromVersion = 1, toVersion = Infinity }: ReadOptions,
): StoredEvent[] {
  return events.filter(
    (event) =>
      event.streamversion >= fromVersion &&
      event.streamversion <= toVersion &&
      streamOf(event.subject) === stream,
  );
}

function hasReached(events: readonly StoredEvent[], stream: string, version: number): boolean {
  return events.some((event) => event.streamversion >= version && streamOf(event.subject) === stream);
}
