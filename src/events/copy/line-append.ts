import { streamOf } from '../envelope.ts';
import { decodeLine, UnreadableLine } from '../line/chain-reader.ts';
import { fillTemplate } from '../line/line-codec.ts';
import type { PreparedEvent } from '../line/prepare-event.ts';
import type { LineAppend } from './line-log.ts';

/**
 * A line that stands in a log, as an event that waits for its place: given the same one, it becomes the same line.
 *
 * @throws {UnreadableLine} when it is not spelled as Clifford spells lines.
 */
export function preparedLine(line: string): PreparedEvent {
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
