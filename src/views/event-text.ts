import { eventCatalog, type EventData, type EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { visibleLine } from '../lib/text/visible.ts';

type Texts = { readonly [T in EventType]: { readonly text: (data: EventData<T>) => string } };

const texts: Texts = eventCatalog;

/** What an event says beyond its type, on one line, safe to print. */
export function eventText(event: StoredEvent): string {
  return visibleLine(textOf(event.type, event.data));
}

function textOf<T extends EventType>(type: T, data: EventData<T>): string {
  const { text }: Texts[T] = texts[type];
  return text(data);
}
