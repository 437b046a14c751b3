import { jsonValue } from '../../lib/json/json-value.ts';
import type { Project } from '../project/project.ts';
import { castEvents } from './cast-events.ts';
import { castLines } from './cast-lines.ts';
import { eventOfMarker, indexEntrySchema } from './event-marker.ts';
import type { IndexEntry } from './event-marker.ts';
import { indexPath, segmentsOf } from './transcript-files.ts';

type Marker = Omit<IndexEntry, 'id'>;

/**
 * Where in a transcript the events of its attempt are, in order. The markers of the transcript are the
 * truth: what its index does not have, or all of it when there is none, is read from them.
 *
 * @param path - Absolute: the first segment.
 * @param stream - The stream of the attempt.
 */
export async function readTranscriptIndex(
  { log }: Pick<Project, 'log'>,
  { path, stream }: { path: string; stream: string },
): Promise<IndexEntry[]> {
  const segments = segmentsOf(path);
  const known = readEntries(indexPath(path)).filter(({ segment }) => segments.includes(segment));
  const rest = markersAfter(path, known.at(-1));
  const [first, last] = [rest.at(0), rest.at(-1)];
  if (!first || !last) return known;
  const ids = new Map<number, string>();
  const range = { stream, fromVersion: first.streamversion, toVersion: last.streamversion };
  for await (const { events } of log.read(range))
    for (const { streamversion, id } of events) ids.set(streamversion, id);
  const found = rest.flatMap((marker) => {
    const id = ids.get(marker.streamversion);
    return id === undefined ? [] : [{ ...marker, id }];
  });
  return [...known, ...found];
}

function readEntries(path: string): IndexEntry[] {
  return [...castLines(path)].flatMap(({ text }) => {
    const entry = indexEntrySchema.safeParse(jsonValue(text));
    // Of a damaged line the marker is there.
    return entry.success ? [entry.data] : [];
  });
}

function markersAfter(path: string, last: IndexEntry | undefined): Marker[] {
  return castEvents(path, last)
    .flatMap(({ event: [, code, data], segment, offset, timeMs }) => {
      const named = code === 'm' ? eventOfMarker(data) : undefined;
      return named ? [{ ...named, segment, offset, timeMs }] : [];
    })
    .toArray();
}
