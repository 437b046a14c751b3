import { z } from 'zod';
import { nameSchema, textSchema } from '../events/field-schemas.ts';

/** A field that may be missing; some languages write null for that. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Words: blanks alone ask nothing, and answer nothing. */
const wordsSchema = textSchema.refine((text) => text.trim() !== '', 'is empty');

/** `.clifford/mcp-block.json`. Other keys, such as `timestamp`, are not looked at, here and below. */
export const blockFileSchema = z.looseObject({
  type: z.literal('block'),
  task: optional(z.string().max(512)),
  reason: optional(textSchema),
  question: wordsSchema,
  /** Set in ours. */
  requestId: optional(nameSchema),
});
export type BlockFile = z.infer<typeof blockFileSchema>;

/** `.clifford/mcp-response.json`. */
export const responseFileSchema = z.looseObject({
  response: wordsSchema,
  /** The request it answers. Default: the one in the block file. */
  requestId: optional(nameSchema),
  /** The question is turned down, and `response` says why. */
  rejected: optional(z.boolean()),
});

/** `{id}.json` in the folder of questions. */
export const questionFileSchema = z.looseObject({
  /** Default: the name of the file. */
  id: optional(nameSchema),
  question: wordsSchema,
  options: optional(z.array(textSchema).max(100)),
  context: optional(textSchema),
  /** Set in ours. */
  requestId: optional(nameSchema),
});
export type QuestionFile = z.infer<typeof questionFileSchema>;

/** `{id}_answer.json` in the folder of questions. */
export const answerFileSchema = z.looseObject({
  /** Default: as the file is named. */
  id: optional(nameSchema),
  answer: wordsSchema,
});
