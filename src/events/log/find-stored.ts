import type { NewEvent, StoredEvent } from '../envelope.ts';

/** Those of the events of one append that are in its stream, told by their ids: all of them, or none. */
export async function findStored(
  stream: AsyncIterable<readonly StoredEvent[]>,
  events: readonly NewEvent[],
): Promise<readonly StoredEvent[]> {
  const ids = new Set(events.map(({ id }) => id));
  const found: StoredEvent[] = [];
  for await (const stored of stream) found.push(...stored.filter(({ id }) => ids.has(id)));
  return found;
}
