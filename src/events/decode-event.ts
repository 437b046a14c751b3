import { z } from 'zod';
import { CliffordError } from '../errors.ts';
import { eventCatalog, isEventType } from './catalog.ts';
import type { EventType } from './catalog.ts';
import { envelopeShape } from './envelope.ts';
import type { StoredEvent } from './envelope.ts';
import { currentSchemaVersion, upcast, upcasters } from './upcasters.ts';
import type { Upcasters } from './upcasters.ts';

const header = z.looseObject({ type: z.string(), schemaversion: z.int().positive(), data: z.unknown() });

/** One strict schema per event type, envelope and data together, made when first needed. */
const schemas = new Map<EventType, z.ZodType<StoredEvent>>();

/**
 * Turns parsed JSON into an event of the current version.
 *
 * @throws {CliffordError} `EVENT_INVALID` when it fits no known event.
 * @throws {CliffordError} `LOG_NEWER` when its type or `schemaversion` is unknown to this Clifford.
 */
export function decodeEvent(json: unknown, table: Upcasters = upcasters): StoredEvent {
  const read = header.safeParse(json);
  if (!read.success) throw invalidEvent(z.prettifyError(read.error));
  const { type, schemaversion } = read.data;
  if (!isEventType(type)) throw newerEvent(`event type ${type}`);
  const current = currentSchemaVersion(type, table);
  if (schemaversion > current) throw newerEvent(`${type} in schema version ${schemaversion}`);

  const candidate =
    schemaversion === current
      ? json
      : { ...read.data, schemaversion: current, data: upcast(type, schemaversion, read.data.data, table) };
  const parsed = schemaOf(type).safeParse(candidate);
  if (!parsed.success) throw invalidEvent(z.prettifyError(parsed.error));
  return parsed.data;
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
  // The catalog pairs type and data; TypeScript cannot follow that through a computed key.
  const typed = schema as z.ZodType<StoredEvent>;
  schemas.set(type, typed);
  return typed;
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
