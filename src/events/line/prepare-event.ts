import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { isDeeper } from '../../lib/json/json-value.ts';
import { isEventType } from '../catalog.ts';
import { schemaOf } from '../decode-event.ts';
import { streamOf, type NewEvent, type StoredEvent } from '../envelope.ts';
import { MAX_JSON_DEPTH } from '../field-schemas.ts';
import type { Redactor } from '../secrets/redaction.ts';
import { currentSchemaVersion } from '../upcasters.ts';
import { lineTemplate, MAX_LINE_BYTES, type LineTemplate } from './line-codec.ts';
import { documentation } from '../../package-file.ts';

/** An event checked and serialised, waiting for its place in the stream. */
export type PreparedEvent = { readonly event: StoredEvent; readonly template: LineTemplate };

/** A place that fits the schema, until the real one is known. */
const NO_PLACE = { streamversion: 1, prevhash: '' };
/** Deeper than any schema allows: {@link MAX_JSON_DEPTH} inside the fields of an event. */
const MAX_DATA_DEPTH = MAX_JSON_DEPTH + 10;
/** Room for `streamversion` and `prevhash` in a line. */
const PLACE_BYTES = 100;

/**
 * Redacts and checks the events of one append to `stream`, and serialises them.
 *
 * @throws {CliffordError} `EVENT_INVALID` when one does not fit its schema, the stream or a line.
 */
export function prepareEvents(
  stream: string,
  events: readonly NewEvent[],
  redact?: Redactor,
): PreparedEvent[] {
  return events.map((event, index) => prepareEvent(stream, event, events.length - 1 - index, redact));
}

/** `following`: how many events of the same append follow it. */
function prepareEvent(
  stream: string,
  event: NewEvent,
  following: number,
  redact: Redactor | undefined,
): PreparedEvent {
  const { id, source, type, subject, time } = event;
  if (!isEventType(type)) throw invalidEvent(stream, event, `its type is unknown`);
  if (streamOf(subject) !== stream) throw invalidEvent(stream, event, `its subject is ${subject}`);
  // Whoever walks through it, the redactor first, needs a stack as deep.
  if (isDeeper(event.data, MAX_DATA_DEPTH))
    throw invalidEvent(stream, event, `its data is nested more than ${MAX_DATA_DEPTH} deep`);
  const parsed = schemaOf(type).safeParse({
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time,
    ...NO_PLACE,
    schemaversion: currentSchemaVersion(type),
    data: redact ? redact(type, event.data) : event.data,
    ...(following > 0 && { following }),
  });
  if (!parsed.success) throw invalidEvent(stream, event, z.prettifyError(parsed.error));
  const template = lineTemplate(parsed.data);
  if (isTooLong(template))
    throw invalidEvent(stream, event, `its line is longer than ${MAX_LINE_BYTES} bytes`);
  return { event: parsed.data, template };
}

function isTooLong({ before, after }: LineTemplate): boolean {
  // Counting bytes walks the text; a UTF-16 unit takes three at most.
  if ((before.length + after.length) * 3 + PLACE_BYTES <= MAX_LINE_BYTES) return false;
  return Buffer.byteLength(before) + Buffer.byteLength(after) + PLACE_BYTES > MAX_LINE_BYTES;
}

function invalidEvent(stream: string, event: NewEvent, reason: string): CliffordError {
  const rule = reason.replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
  return new CliffordError(`Cannot append ${event.type} to stream ${stream}: ${rule}`, {
    code: 'EVENT_INVALID',
    fix: `Correct the event; ${documentation('events')} lists the fields of every type`,
  });
}
