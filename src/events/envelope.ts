import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { subjectSchema } from './field-schemas.ts';
import type { EventData, EventType } from './catalog.ts';

/** Who may record an event. */
export const sources = [
  '/clifford/runner',
  '/clifford/mcp',
  '/clifford/tui',
  '/clifford/web',
  '/clifford/cli',
  '/clifford/api',
  '/clifford/signals',
  '/clifford/editor',
  '/clifford/notify',
] as const;
/** One of {@link sources}. */
export type Source = (typeof sources)[number];

/**
 * The attributes every event carries, a CloudEvents 1.0 JSON envelope
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
 * `streamversion`, `prevhash`, `schemaversion` and `following` are extension attributes.
 */
export const envelopeShape = {
  specversion: z.literal('1.0'),
  /** UUIDv7. */
  id: z.uuidv7(),
  source: z.enum(sources),
  /** `stream` or `stream/task`. */
  subject: subjectSchema,
  /** When it was recorded: RFC 3339, UTC, milliseconds. */
  time: z.iso.datetime({ precision: 3 }),
  /** Position in its stream: 1, 2, 3 … without gaps. */
  streamversion: z.int().positive(),
  /** base64url SHA-256 of the previous line of its stream, without the newline; `''` for the first. */
  prevhash: z.string(),
  /** Version of this type's `data`. */
  schemaversion: z.int().positive(),
  /** How many events of the same append follow this one. Absent when none does: the append is whole. */
  following: z.int().positive().optional(),
};

type Envelope = z.infer<z.ZodObject<typeof envelopeShape>>;

/** An event as it stands in the log. */
export type StoredEvent<T extends EventType = EventType> = T extends EventType
  ? Envelope & { type: T; data: EventData<T> }
  : never;

/** An event about to be appended: everything but its place in the stream. */
export type NewEvent<T extends EventType = EventType> = T extends EventType
  ? { id: string; source: Source; type: T; subject: string; time: string; data: EventData<T> }
  : never;

/** Gives a fact its identity and time. `now` is for tests and importers, as is `id`, which is also given where something was noted by it before. */
export function newEvent<T extends EventType>(
  source: Source,
  fact: { type: T; subject: string; data: EventData<T> },
  options?: { id?: string; now?: Date },
): NewEvent<T>;
export function newEvent(
  source: Source,
  { type, subject, data }: { type: EventType; subject: string; data: EventData },
  { id = uuidv7(), now = new Date() }: { id?: string; now?: Date } = {},
): object {
  return { id, source, type, subject, time: now.toISOString(), data };
}

/** The subject of a stream, or of a task in it. */
export function subjectOf(stream: string, taskId?: string): string {
  return taskId === undefined ? stream : `${stream}/${taskId}`;
}

/** The stream a subject belongs to. */
export function streamOf(subject: string): string {
  const slash = subject.indexOf('/');
  return slash === -1 ? subject : subject.slice(0, slash);
}

/** The task a subject names, if it names one. A task id may itself contain `/`. */
export function taskOf(subject: string): string | undefined {
  const slash = subject.indexOf('/');
  return slash === -1 ? undefined : subject.slice(slash + 1);
}
