import { newEvent } from '../../src/events/envelope.ts';
import type { NewEvent, StoredEvent } from '../../src/events/envelope.ts';
import type { EventBatch, EventLog } from '../../src/events/log/event-log.ts';

/** A skipped task with this reason: the shortest event that carries free text. */
export function skipped(stream: string, reason: string): NewEvent {
  return newEvent('/clifford/cli', {
    type: 'task.skipped',
    subject: `${stream}/task-1`,
    data: { by: 'ann', reason },
  });
}

/** `count` events of `stream`, told apart by their reasons `0`, `1`, `2` … */
export function numbered(stream: string, count: number, from = 0): NewEvent[] {
  return Array.from({ length: count }, (_, n) => skipped(stream, String(from + n)));
}

/** What {@link skipped} was given. */
export function reasonOf(event: StoredEvent): string | undefined {
  return event.type === 'task.skipped' ? event.data.reason : undefined;
}

/** All events of some batches. */
export async function collect(batches: AsyncIterable<EventBatch>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of batches) events.push(...batch.events);
  return events;
}

/** The reasons in the log, in order. Reading also checks every schema and the chain. */
export async function reasonsIn(log: EventLog): Promise<(string | undefined)[]> {
  return (await collect(log.read())).map(reasonOf);
}
