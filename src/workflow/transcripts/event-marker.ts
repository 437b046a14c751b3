import { z } from 'zod';
import type { StoredEvent } from '../../events/envelope.ts';

/** The label of the marker that stands for an event of the log: `#41 help.requested`. */
export function markerLabel({ streamversion, type }: Pick<StoredEvent, 'streamversion' | 'type'>): string {
  return `#${streamversion} ${type}`;
}

/** The event that the label of a marker names; `undefined` for other markers. */
export function eventOfMarker(label: string): { streamversion: number; type: string } | undefined {
  const [, version, type] = /^#([1-9]\d*) ([a-z]+\.[a-z]+)$/.exec(label) ?? [];
  return version === undefined || type === undefined ? undefined : { streamversion: Number(version), type };
}

/** One line of an index: where in a transcript an event of the log is. */
export const indexEntrySchema = z.object({
  streamversion: z.int().positive(),
  id: z.string(),
  type: z.string(),
  segment: z.int().positive(),
  /** Where the line of its marker begins in the segment, in bytes. */
  offset: z.int().nonnegative(),
  /** Since the transcript began. */
  timeMs: z.int().nonnegative(),
});
/** What {@link indexEntrySchema} takes. */
export type IndexEntry = z.infer<typeof indexEntrySchema>;
