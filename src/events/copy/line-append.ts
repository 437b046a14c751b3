import { streamOf } from '../envelope.ts';
import { decodeLine, UnreadableLine } from '../line/chain-reader.ts';
import { fillTemplate, hashLine } from '../line/line-codec.ts';
import type { PendingAppend } from '../line/pending-append.ts';
import type { PreparedEvent } from '../line/prepare-event.ts';
import type { LineAppend } from './line-log.ts';

/**
 * Lines that stand in a log, as an append that waits for the same place in another one: there it becomes the same lines.
 *
 * @throws {UnreadableLine} when they are not spelled as Clifford spells lines, or do not follow each other.
 */
export function preparedAppend({ stream, version, lines }: LineAppend): PendingAppend {
  const events = lines.map(preparedLine);
  for (const [index, { event }] of events.entries()) {
    const before = lines[index - 1];
    if (
      event.streamversion !== version + index ||
      (before !== undefined && event.prevhash !== hashLine(before))
    )
      throw new UnreadableLine('it does not follow the line before it');
  }
  return { stream, expectedVersion: version - 1, prevhash: events[0]?.event.prevhash, events };
}

/** A line, as an event that waits for its place: given the same one, it becomes the same line. */
function preparedLine(line: string): PreparedEvent {
  const event = decodeLine(line);
  const { streamversion, prevhash } = event;
  const place = `,"streamversion":${streamversion},"prevhash":"${prevhash}",`;
  // What stands before it cannot contain it: quotes are escaped there.
  const at = line.indexOf(place);
  const template = { before: line.slice(0, at), after: line.slice(at + place.length) };
  if (at === -1 || fillTemplate(template, { version: streamversion - 1, hash: prevhash }) !== line)
    throw new UnreadableLine('its attributes are not in their order');
  return { event, template };
}

/** Puts lines together to the appends that they came in. */
export class AppendCollector {
  #begun: { stream: string; version: number; lines: string[] } | undefined;

  /** Takes the next line. Returns the append that it makes whole, if it does. */
  take(line: string): LineAppend | undefined {
    const { subject, streamversion, following } = decodeLine(line);
    this.#begun ??= { stream: streamOf(subject), version: streamversion, lines: [] };
    const append = this.#begun;
    append.lines.push(line);
    if (following !== undefined) return undefined;
    this.#begun = undefined;
    return append;
  }
}
