import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { streamSchema, taskIdSchema } from './field-schemas.ts';
import type { EventData, EventType } from './catalog.ts';

/** Who may record an event. */
export const sources = [
  '/clifford/runner',
  '/clifford/mcp',
  '/clifford/tui',
  '/clifford/web',
  '/clifford/cli',
  '/clifford/signals',
] as const;
export type Source = (typeof sources)[number];

/**
 * The attributes every event carries, a CloudEvents 1.0 JSON envelope
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md).
 * `streamversion`, `prevhash` and `schemaversion` are extension attributes.
 */
export const envelopeShape = {
  specversion: z.literal('1.0'),
  /** UUIDv7. */
  id: z.uuidv7(),
  source: z.enum(sources),
  /** `stream` or `stream/task`. */
  subject: z.string().refine(isSubject, 'expected stream or stream/task'),
  /** When it was recorded: RFC 3339, UTC, milliseconds. */
  time: z.iso.datetime({ precision: 3 }),
  /** Position in its stream: 1, 2, 3 … without gaps. */
  streamversion: z.int().positive(),
  /** base64url SHA-256 of the previous line of its stream, without the newline; `''` for the first. */
  prevhash: z.string(),
  /** Version of this type's `data`. */
  schemaversion: z.int().positive(),
};

type Envelope = z.infer<z.ZodObject<typeof envelopeShape>>;

const knownSources: ReadonlySet<unknown> = new Set(sources);
const timeFormat = z.regexes.datetime({ precision: 3 });
const ENVELOPE_KEYS = Object.keys(envelopeShape).length + 2;

/** Subjects that passed the check: a log names few, many times. Bounded, since a log may name many. */
const knownSubjects = new Set<string>();
const MAX_KNOWN_SUBJECTS = 4_096;

/**
 * Whether an object has exactly the keys of an event and an envelope that fits {@link envelopeShape}.
 * The same rules by hand, for speed; `type` and `data` are for the caller. Written so that it may
 * refuse what the schema accepts, never the other way round.
 */
export function isPlainEnvelope(
  event: Readonly<Record<string, unknown>>,
): event is Envelope & { type: unknown; data: unknown } {
  const { specversion, id, source, subject, time, streamversion, prevhash, schemaversion } = event;
  return (
    specversion === '1.0' &&
    typeof id === 'string' &&
    z.regexes.uuid7.test(id) &&
    knownSources.has(source) &&
    typeof subject === 'string' &&
    (knownSubjects.has(subject) || isNewSubject(subject)) &&
    typeof time === 'string' &&
    timeFormat.test(time) &&
    Number.isSafeInteger(streamversion) &&
    Number(streamversion) > 0 &&
    typeof prevhash === 'string' &&
    Number.isSafeInteger(schemaversion) &&
    Number(schemaversion) > 0 &&
    'type' in event &&
    'data' in event &&
    Object.keys(event).length === ENVELOPE_KEYS
  );
}

/** An event as it stands in the log. */
export type StoredEvent<T extends EventType = EventType> = T extends EventType
  ? Envelope & { type: T; data: EventData<T> }
  : never;

/** An event about to be appended: everything but its place in the stream. */
export type NewEvent<T extends EventType = EventType> = T extends EventType
  ? { id: string; source: Source; type: T; subject: string; time: string; data: EventData<T> }
  : never;

/** Gives a fact its identity and time. `now` and `id` are for tests and importers. */
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

function isNewSubject(subject: string): boolean {
  if (!isSubject(subject)) return false;
  if (knownSubjects.size >= MAX_KNOWN_SUBJECTS) knownSubjects.clear();
  knownSubjects.add(subject);
  return true;
}

function isSubject(subject: string): boolean {
  const task = taskOf(subject);
  return (
    streamSchema.safeParse(streamOf(subject)).success &&
    (task === undefined || taskIdSchema.safeParse(task).success)
  );
}
