import type { StoredEvent } from '../envelope.ts';
import type { StreamHead } from '../log/event-log.ts';
import { fillTemplate, hashLine } from './line-codec.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** Gives the events of an append their places in the chain of their stream, behind `before`. Adds their lines to `lines`. */
export function placeEvents(
  events: readonly PreparedEvent[],
  before: StreamHead,
  lines: string[],
): { readonly stored: StoredEvent[]; readonly after: StreamHead } {
  let head = before;
  const stored = events.map(({ event, template }): StoredEvent => {
    const line = fillTemplate(template, head);
    const placed = { ...event, streamversion: head.version + 1, prevhash: head.hash };
    head = { version: placed.streamversion, hash: hashLine(line) };
    lines.push(line);
    return placed;
  });
  return { stored, after: head };
}
