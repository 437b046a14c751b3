import { eventCatalog, type EventData, type EventType } from './catalog.ts';
import type { Mark, MarkOf } from './descriptor.ts';
import type { StoredEvent } from './envelope.ts';

type Marks = { readonly [T in EventType]: { readonly mark?: MarkOf<EventData<T>> } };

const catalog: Marks = eventCatalog;

/** How an event stands out in a history; `undefined`: it does not. */
export function markOf(event: StoredEvent): Mark | undefined {
  return markFor(event.type, event.data);
}

function markFor<T extends EventType>(type: T, data: EventData<T>): Mark | undefined {
  const { mark }: Marks[T] = catalog[type];
  return typeof mark === 'function' ? mark(data) : mark;
}
