import { parseCastEvent, parseCastHeader, type CastEvent, type CastHeader } from './cast.ts';
import { castLines } from './cast-lines.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

/** An event of a transcript, where it is, how long after the transcript began, and segments that are missing before it. */
export type PlacedEvent = {
  readonly event: CastEvent;
  readonly segment: number;
  readonly timeMs: number;
  readonly missing?: { readonly from: number; readonly to: number };
};

/**
 * The events of a transcript, all segments in a row, without lines that a crash left behind. Where
 * segments are missing the time goes on as their headers say, to the second.
 *
 * @param path - Absolute: the first segment.
 */
export function* castEvents(path: string): Generator<PlacedEvent> {
  let timeMs = 0;
  let before = 0;
  const firstAt = headerIn(path)?.timestamp;
  for (const segment of segmentsOf(path)) {
    const file = segmentPath(path, segment);
    let missing = segment === before + 1 ? undefined : { from: before + 1, to: segment - 1 };
    const segmentAt = missing && headerIn(file)?.timestamp;
    if (firstAt !== undefined && segmentAt !== undefined)
      timeMs = Math.max(timeMs, Math.round((segmentAt - firstAt) * 1000));
    for (const text of castLines(file)) {
      const event = parseCastEvent(text);
      if (!event) continue;
      timeMs += Math.round(event[0] * 1000);
      yield { segment, timeMs, event, ...(missing ? { missing } : {}) };
      missing = undefined;
    }
    before = segment;
  }
}

/** The header of one segment, if its first line is one. */
export function headerIn(file: string): CastHeader | undefined {
  const first = castLines(file).next();
  return first.done ? undefined : parseCastHeader(first.value);
}
