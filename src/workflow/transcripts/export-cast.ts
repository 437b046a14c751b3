import { CliffordError } from '../../errors.ts';
import { castLine, type CastHeader } from './cast.ts';
import { castEvents, headerIn, type PlacedEvent } from './cast-events.ts';
import { isRemovedLabel } from './marker-labels.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

/** Which format a transcript is wanted in: asciicast v3, or v2 for players that know no other. */
export type CastVersion = 2 | 3;

/**
 * A transcript as one cast, all its segments joined, line by line with their ends. Where segments were
 * removed a marker says so. Of an attempt that is under way it has what is there now.
 *
 * @param path - Absolute: the first segment.
 * @throws {CliffordError} `TRANSCRIPT_MISSING` when nothing is there that began as a cast.
 */
export function exportCast(path: string, version: CastVersion): Iterable<string> {
  const header = headerOf(path);
  if (header) return castOf(path, version, header);
  throw new CliffordError(`Cannot export ${path}: it is not an asciicast, or was cut off in its first line`, {
    code: 'TRANSCRIPT_MISSING',
    fix: 'Name another run; .clifford/transcripts has those there are',
    recovery: 'give-up',
  });
}

function* castOf(path: string, version: CastVersion, header: CastHeader): Generator<string> {
  yield version === 3 ? castLine(header) : headerV2(header);
  const lines = version === 3 ? linesV3 : linesV2;
  let beforeMs = 0;
  for (const placed of joinedEvents(path)) {
    yield* lines(placed, beforeMs);
    beforeMs = placed.timeMs;
  }
}

/** Without what each segment says of parts that were removed before it began: the gap says it once, of all. */
function* joinedEvents(path: string): Generator<PlacedEvent> {
  let missing: PlacedEvent['missing'];
  for (const placed of castEvents(path)) {
    const [, code, data] = placed.event;
    missing ??= placed.missing;
    if (code === 'm' && isRemovedLabel(data)) continue;
    yield missing ? { ...placed, missing } : placed;
    missing = undefined;
  }
}

function headerOf(path: string): CastHeader | undefined {
  for (const segment of segmentsOf(path)) {
    const header = headerIn(segmentPath(path, segment));
    if (header) return header;
  }
  return undefined;
}

function* linesV3({ event: [, code, data], timeMs, missing }: PlacedEvent, beforeMs: number) {
  const seconds = (timeMs - beforeMs) / 1000;
  if (missing) yield castLine([seconds, 'm', missingLabel(missing)]);
  yield castLine([missing ? 0 : seconds, code, data]);
}

/** Times count from the beginning, and nobody knows `x`. */
function* linesV2({ event: [, code, data], timeMs, missing }: PlacedEvent) {
  const seconds = timeMs / 1000;
  if (missing) yield castLine([seconds, 'm', missingLabel(missing)]);
  if (code !== 'x') yield castLine([seconds, code, data]);
}

function headerV2({ term, timestamp, title }: CastHeader): string {
  const { cols: width, rows: height, type } = term;
  const header = { version: 2, width, height, timestamp, title, env: type && { TERM: type } };
  return `${JSON.stringify(header)}\n`;
}

function missingLabel({ from, to }: { from: number; to: number }): string {
  const parts = from === to ? `part ${from} is` : `parts ${from} to ${to} are`;
  return `${parts} missing: the transcript grew too long`;
}
