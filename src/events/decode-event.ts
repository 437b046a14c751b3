import { z } from 'zod';
import { CliffordError } from '../errors.ts';
import { eventCatalog, isEventType, type EventType } from './catalog.ts';
import { envelopeShape, type StoredEvent } from './envelope.ts';
import { currentSchemaVersion, upcast, upcasters, type Upcasters } from './upcasters.ts';
import { isJsonObject } from '../lib/json/json-object.ts';

type StoredEventSchema = z.ZodType<StoredEvent, StoredEvent>;

/** One strict schema per event type, made when first needed. */
const schemas = new Map<EventType, StoredEventSchema>();

/** The same before it is compiled, and how many events it has judged. */
const interpreted = new Map<EventType, { readonly schema: StoredEventSchema; uses: number }>();

/** From how many events of a type on its schema is worth 1 ms to be compiled: most programs see few of each. */
const COMPILED_FROM = 20;

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
  const event =
    schemaversion === current
      ? json
      : { ...json, schemaversion: current, data: upcast(type, schemaversion, json['data'], table) };
  // Validating copies nothing. No schema of an event changes a value, so what fits is the event.
  if (fits(type, event)) return event;
  const checked = schemaOf(type).safeParse(event);
  if (!checked.success) throw invalidEvent(z.prettifyError(checked.error));
  return checked.data;
}

function fits(type: EventType, event: unknown): event is StoredEvent {
  const few = interpreted.get(type) ?? { schema: plainSchemaOf(type), uses: 0 };
  if (few.uses === COMPILED_FROM) return schemaOf(type).validate(event);
  interpreted.set(type, few);
  few.uses++;
  return few.schema.safeParse(event, { jitless: true }).success;
}

/**
 * The schema of a stored event of this type, envelope and data together. Compiled, since every line
 * of a log is checked with it: a seventh of the time of zod's interpreter, which gives the messages.
 */
export function schemaOf(type: EventType): StoredEventSchema {
  const known = schemas.get(type);
  if (known) return known;
  const schema = z.compile(plainSchemaOf(type));
  schemas.set(type, schema);
  return schema;
}

function plainSchemaOf(type: EventType): StoredEventSchema {
  const schema: z.ZodType = z.strictObject({
    ...envelopeShape,
    type: z.literal(type),
    data: eventCatalog[type].data,
  });
  // The catalog pairs type and data; TypeScript cannot follow that through a computed key.
  return schema as StoredEventSchema;
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function invalidEvent(reason: string): CliffordError {
  return new CliffordError(`Cannot read event: ${reason.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')}`, {
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
