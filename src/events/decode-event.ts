import { z } from 'zod';
import { CliffordError } from '../errors.ts';
import { eventCatalog, isEventType, type EventType } from './catalog.ts';
import { envelopeShape, type StoredEvent } from './envelope.ts';
import { currentSchemaVersion, upcast, upcasters, type Upcasters } from './upcasters.ts';
import { isJsonObject } from '../lib/json/json-object.ts';

type StoredEventSchema = z.ZodType<StoredEvent, StoredEvent>;

/** One strict schema per event type, made when first needed. */
const schemas = new Map<EventType, StoredEventSchema>();

/**
 * Parsed JSON into an event of the current version.
 *
 * @throws {CliffordError} `EVENT_INVALID` when it fits no known event.
 * @throws {CliffordError} `LOG_NEWER` when its type or `schemaversion` is unknown to this Clifford.
 */
export function decodeEvent(json: unknown, table: Upcasters = upcasters): StoredEvent {
  if (!isJsonObject(json)) throw invalidEvent('expected an object');
  const { type, schemaversion } = json;
  if (typeof type !== 'string') throw invalidEvent('expected a type');
  if (!isEventType(type)) throw newerEvent(`event type ${type}`);
  if (!isPositiveInteger(schemaversion)) throw invalidEvent('expected a positive schemaversion');
  const current = currentSchemaVersion(type, table);
  if (schemaversion > current) throw newerEvent(`${type} in schema version ${schemaversion}`);
  const schema = schemaOf(type);
  const event =
    schemaversion === current
      ? json
      : { ...json, schemaversion: current, data: upcast(type, schemaversion, json['data'], table) };
  // Validating copies nothing. No schema of an event changes a value, so what fits is the event.
  if (schema.validate(event)) return event;
  const checked = schema.safeParse(event);
  if (!checked.success) throw invalidEvent(z.prettifyError(checked.error));
  return checked.data;
}

/**
 * The schema of a stored event of this type, envelope and data together. Compiled, since every line
 * of a log is checked with it: a seventh of the time of zod's interpreter, which gives the messages.
 */
export function schemaOf(type: EventType): StoredEventSchema {
  const known = schemas.get(type);
  if (known) return known;
  const schema: z.ZodType = z.compile(
    z.strictObject({ ...envelopeShape, type: z.literal(type), data: eventCatalog[type].data }),
  );
  // The catalog pairs type and data; TypeScript cannot follow that through a computed key.
  const typed = schema as StoredEventSchema;
  schemas.set(type, typed);
  return typed;
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function invalidEvent(reason: string): CliffordError {
  return new CliffordError(`Cannot read event: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`, {
    code: 'EVENT_INVALID',
    fix: 'Run clifford replay --verify to find the first damaged line',
  });
}

function newerEvent(what: string): CliffordError {
  return new CliffordError(`Cannot read ${what}: it was written by a newer Clifford`, {
    code: 'LOG_NEWER',
    fix: 'Upgrade clifford, then try again',
  });
}
