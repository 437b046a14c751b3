import { z } from 'zod';
import { isJsonObject } from '../lib/json/json-object.ts';

/** Longest free text in one field, in UTF-16 units. A longer one is refused before it is written. */
export const MAX_TEXT_LENGTH = 65_536;

const STREAM = String.raw`[A-Za-z0-9_-]{1,128}`;
const TASK_ID = String.raw`[^\p{Cc}\u2028\u2029]{1,200}`;

/** A stream: a sprint's manifest `id`, or `adhoc`. */
export const streamSchema = z.string().regex(new RegExp(`^${STREAM}$`), 'expected letters, digits, _ or -');

/** A task's id within its sprint: one line, no control characters. */
export const taskIdSchema = z
  .string()
  .regex(new RegExp(`^${TASK_ID}$`, 'u'), 'expected 1 to 200 characters on one line');

/** A {@link streamSchema stream}, or `stream/task`. One pattern: every line read is checked with it. */
export const subjectSchema = z
  .string()
  .regex(new RegExp(`^${STREAM}(?:/${TASK_ID})?$`, 'u'), 'expected stream or stream/task');

/** A short identifying text: a person, a program, a run or request id. */
export const nameSchema = z.string().min(1).max(512);

/** Free text of a human or an agent. */
export const textSchema = z.string().max(MAX_TEXT_LENGTH);

/** A non-negative duration in whole milliseconds. */
export const durationMsSchema = z.int().nonnegative();

/** The worker that had until then what another one takes, and for how long at least nothing was heard of it. */
export const lostWorkerSchema = z.strictObject({ worker: nameSchema, silentMs: durationMsSchema });

/**
 * What a machine lacks that could not begin a sprint or a task: its files; anybody's agreement to their commands; the work on its tasks, which
 * another machine has that is there.
 */
export const unfitSchema = z.literal([true, 'agreement', 'work']);

/** Deepest nesting of a JSON value in an event: whoever walks through it needs a stack as deep. */
export const MAX_JSON_DEPTH = 1_000;

/**
 * Any JSON value. zod's own `z.json()` takes twenty times as long, since it copies and cannot be
 * compiled, and most lines of a log are tool calls.
 */
export const jsonSchema = z.custom<z.core.util.JSONType>(
  (value) => isJson(value),
  `expected JSON of at most ${MAX_JSON_DEPTH} levels`,
);

/**
 * Digests by the names that others gave to things. zod's own record would leave out the name `__proto__`
 * when an event is written.
 */
export const digestsSchema = z.custom<Readonly<Record<string, string>>>(
  isDigests,
  'expected digests by name',
);

function isDigests(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    isJson(value) &&
    Object.values(value).every((digest) => typeof digest === 'string' && digest !== '')
  );
}

function isJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (depth === MAX_JSON_DEPTH) return false;
  const isInnerJson = (inner: unknown) => isJson(inner, depth + 1);
  if (Array.isArray(value)) return !value.includes(undefined) && value.every(isInnerJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isInnerJson);
}
