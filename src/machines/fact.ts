import type { EventData, EventType } from '../events/catalog.ts';

/**
 * What a machine sees of an event: its type and what it says. A stored event is one, and so is a
 * candidate that was not appended yet.
 */
export type Fact<T extends EventType = EventType> = T extends EventType
  ? { readonly type: T; readonly data: EventData<T> }
  : never;
