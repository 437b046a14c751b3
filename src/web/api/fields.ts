import { z } from 'zod';
import { marks } from '../../events/descriptor.ts';
import { MAX_TEXT_LENGTH, streamSchema, taskIdSchema } from '../../events/field-schemas.ts';

/** A time, RFC 3339 in UTC. */
export const timeSchema = z.iso.datetime();

/** A sprint, or `adhoc`: what is asked outside of any. */
export const sprintIdSchema = streamSchema;

/** A task within its sprint. */
export const taskSchema = taskIdSchema;

/** The version of an event in its sprint: 1, 2, 3 … */
export const versionSchema = z.int().positive();

/** What a human writes, in UTF-16 units at most. */
export const saidSchema = z.string().max(MAX_TEXT_LENGTH);

/** The words that a state has for a reader. */
export const statusWordSchema = z.enum(['pending', 'active', 'blocked', 'done']);

/** Tokens, and money as far as agents say it. */
export const usageSchema = z.object({ input: z.number(), output: z.number(), costUsd: z.number() });

/** How an event stands out in a history. */
export const markSchema = z.enum(marks);

/** Any JSON, as a schema that a document can show: `src/events` has a faster one, which it cannot. */
export const anyJsonSchema = z.json();
