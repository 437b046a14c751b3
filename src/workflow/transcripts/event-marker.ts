import type { StoredEvent } from '../../events/envelope.ts';

/** The label of the marker that stands for an event of the log: `#41 help.requested`. */
export function markerLabel({ streamversion, type }: Pick<StoredEvent, 'streamversion' | 'type'>): string {
  return `#${streamversion} ${type}`;
}
