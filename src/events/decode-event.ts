import { z } from 'zod';
import { CliffordError } from '../errors.ts';
import { eventCatalog, isEventType } from './catalog.ts';
import type { EventType } from './catalog.ts';
import { envelopeShape, isPlainEnvelope } from './envelope.ts';
import type { StoredEvent } from './envelope.ts';
import { currentSchemaVersion, upcast, upcasters } from './upcasters.ts';
import type { Upcasters } from './upcasters.ts';

/** One strict schema per event type, envelope and data together, made when first needed. */
const schemas = new Map<EventType, z.ZodType<StoredEvent>>();

/**
 * Turns parsed JSON into an event of the current version.
 *
 * @throws {CliffordError} `EVENT_INVALID` when it fits no known event.
 * @throws {CliffordError} `LOG_NEWER` when its type or `schemaversion` is unknown to this Clifford.
 */
export function decodeEvent(json: unknown, table: Upcasters = upcasters): StoredEvent {
  if (!isRecord(json)) throw invalidEvent('expected an object');
  const { type, schemaversion } = json;
  if (typeof type !== 'string') throw invalidEvent('expected a type');
  if (!isEventType(type)) throw newerEvent(`event type ${type}`);
  if (!isPositiveInteger(schemaversion)) throw invalidEvent('expected a positive schemaversion');
  const current = currentSchemaVersion(type, table);
  if (schemaversion > current) throw newerEvent(`${type} in schema version ${schemaversion}`);
  const data = schemaversion === current ? json['data'] : upcast(type, schemaversion, json['data'], table);
  const checked = checkEvent(
    type,
    schemaversion === current ? json : { ...json, schemaversion: current, data },
  );
  if (!checked.success) throw invalidEvent(z.prettifyError(checked.error));
  return checked.data;
}

/**
 * Checks an event, envelope and data, against the schema of its type.
 *
 * Every line of a log comes through here, so the envelope is first checked by hand, which takes a
 * quarter of the time. What that does not accept the schema decides, and explains.
 */
export function checkEvent(
  type: EventType,
  event: Readonly<Record<string, unknown>>,
): z.ZodSafeParseResult<StoredEvent> {
  if (event['type'] !== type || !isPlainEnvelope(event)) return schemaOf(type).safeParse(event);
  const data = eventCatalog[type].safeParse(event.data);
  if (!data.success) return schemaOf(type).safeParse(event);
  const { specversion, id, source, subject, time, streamversion, prevhash, schemaversion } = event;
  const envelope = { specversion, id, source, type, subject, time, streamversion, prevhash, schemaversion };
  // The catalog pairs type and data; TypeScript cannot follow that through a computed key.
  return { success: true, data: { ...envelope, data: data.data } as StoredEvent };
}

/** The schema of a stored event of this type. */
export function schemaOf(type: EventType): z.ZodType<StoredEvent> {
  const known = schemas.get(type);
  if (known) return known;
  const schema: z.ZodType<unknown> = z.strictObject({
    ...envelopeShape,
    type: z.literal(type),
    data: eventCatalog[type],
  });
  // As above.
  const typed = schema as z.ZodType<StoredEvent>;
  schemas.set(type, typed);
  return typed;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function invalidEvent(reason: string): CliffordError {
  return new CliffordError(`Cannot read event: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`, {
    code: 'EVENT_INVALID',
    fix: 'Run clifford replay --verify to find the first damaged line',
    recovery: 'fix-input',
  });
}

function newerEvent(what: string): CliffordError {
  return new CliffordError(`Cannot read ${what}: it was written by a newer Clifford`, {
    code: 'LOG_NEWER',
    fix: 'Upgrade clifford, then try again',
    recovery: 'fix-input',
  });
}
