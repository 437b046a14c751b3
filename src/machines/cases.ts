import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';

/** What is done with an event, by its type. `context` is what it is done to. */
type Cases<Context extends readonly unknown[], Result> = {
  readonly [T in EventType]?: (event: StoredEvent<T>, ...context: Context) => Result;
};

/**
 * The same, to look up by an event of any type. Most events of a log have no case, and cost no more than this look:
 * `cases.get(event.type)?.(event, …)`.
 */
export function casesByType<Context extends readonly unknown[], Result = void>(
  cases: Cases<Context, Result>,
): ReadonlyMap<EventType, (event: StoredEvent, ...context: Context) => Result> {
  // Whoever looks a case up by an event's type has an event of that type; TypeScript cannot follow that through a key.
  return new Map(Object.entries(cases)) as never;
}
