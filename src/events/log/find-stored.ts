import type { NewEvent, StoredEvent } from '../envelope.ts';
import type { SelectedBatch } from './event-log.ts';

/** Those of the events of one append that are in its stream, told by their ids: all of them, or none. */
export async function findStored(
  stream: AsyncIterable<SelectedBatch>,
  events: readonly NewEvent[],
): Promise<readonly StoredEvent[]> {
  const ids = new Set(events.map(({ id }) => id));
  const found: StoredEvent[] = [];
  for await (const batch of stream) found.push(...batch.events.filter(({ id }) => ids.has(id)));
  return found;
}
