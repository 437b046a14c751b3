import { parseCastEvent, parseCastHeader } from './cast.ts';
import type { CastEvent } from './cast.ts';
import { castLines } from './cast-lines.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

/** A place in a transcript: the line that begins there, and when that was, since the transcript began. */
export type CastPlace = { readonly segment: number; readonly offset: number; readonly timeMs: number };

/** An event of a transcript, and segments that are missing before it. */
export type PlacedEvent = CastPlace & {
  readonly event: CastEvent;
  readonly missing?: { readonly from: number; readonly to: number };
};

/**
 * The events of a transcript, all segments in a row, without lines that a crash left behind. Where
 * segments are missing the time goes on as their headers say, to the second.
 *
 * @param path - Absolute: the first segment.
 * @param after - The events that begin behind this place. Default: all.
 */
export function* castEvents(path: string, after?: CastPlace): Generator<PlacedEvent> {
  let timeMs = after?.timeMs ?? 0;
  let before = after ? after.segment - 1 : 0;
  const firstAt = timestampOf(path);
  for (const segment of segmentsOf(path)) {
    if (after && segment < after.segment) continue;
    const file = segmentPath(path, segment);
    let missing = segment === before + 1 ? undefined : { from: before + 1, to: segment - 1 };
    const segmentAt = missing && timestampOf(file);
    if (firstAt !== undefined && segmentAt !== undefined)
      timeMs = Math.max(timeMs, Math.round((segmentAt - firstAt) * 1000));
    const from = after?.segment === segment ? after.offset : 0;
    for (const { text, offset } of castLines(file, from)) {
      const event = parseCastEvent(text);
      if (!event || (from > 0 && offset === from)) continue;
      timeMs += Math.round(event[0] * 1000);
      yield { segment, offset, timeMs, event, ...(missing ? { missing } : {}) };
      missing = undefined;
    }
    before = segment;
  }
}

/** When a segment began, in seconds since the epoch. */
function timestampOf(file: string): number | undefined {
  const first = castLines(file).next();
  return first.done ? undefined : parseCastHeader(first.value.text)?.timestamp;
}
