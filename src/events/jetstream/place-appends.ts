import type { StoredEvent } from '../envelope.ts';
import { placeEvents } from '../line/place-events.ts';
import type { PreparedEvent } from '../line/prepare-event.ts';
import type { Conflict, ExpectedVersion, StreamHead } from '../log/event-log.ts';

/** One append to a stream, checked and waiting. */
export type PendingAppend = {
  readonly stream: string;
  readonly expectedVersion: ExpectedVersion;
  readonly events: readonly PreparedEvent[];
};

/** What becomes of one append of a group, if the group is stored. */
export type AppendOutcome = { readonly stored: readonly StoredEvent[] } | { readonly conflict: Conflict };

/** A group of appends as it would be stored. */
export type PlacedGroup = {
  /** One for each append. */
  readonly outcomes: readonly AppendOutcome[];
  readonly lines: readonly string[];
  readonly head: StreamHead;
};

/** Decides each append of a group by itself, against what those before it leave, and gives its events their places. */
export function placeAppends(group: readonly PendingAppend[], before: StreamHead): PlacedGroup {
  let head = before;
  const lines: string[] = [];
  const outcomes = group.map(({ stream, expectedVersion, events }): AppendOutcome => {
    if (expectedVersion !== 'any' && expectedVersion !== head.version)
      return { conflict: { stream, expected: expectedVersion, actual: head.version } };
    const { stored, after } = placeEvents(events, head, lines);
    head = after;
    return { stored };
  });
  return { outcomes, lines, head };
}
