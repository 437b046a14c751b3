import type { StoredEvent } from '../envelope.ts';
import { conflictOf, type PendingAppend } from '../line/pending-append.ts';
import { placeEvents } from '../line/place-events.ts';
import type { Conflict, StreamHead } from '../log/event-log.ts';

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
  const outcomes = group.map((append): AppendOutcome => {
    const conflict = conflictOf(append, head);
    if (conflict) return { conflict };
    const { stored, after } = placeEvents(append.events, head, lines);
    head = after;
    return { stored };
  });
  return { outcomes, lines, head };
}
