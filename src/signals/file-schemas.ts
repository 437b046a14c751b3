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
  /** The question is to be put in other words, and `response` says how. */
  rephrase: optional(z.boolean()),
});

/** `{id}.json` in the folder of questions. */
export const questionFileSchema = z
  .looseObject({
    /** Default: the name of the file. */
    id: optional(nameSchema),
    /** Of several questions what they are about; by default their titles. */
    question: optional(wordsSchema),
    options: optional(z.array(textSchema).max(100)),
    /** Several questions at once, in place of options. */
    questions: optional(z.unknown()),
    context: optional(textSchema),
    /** Set in ours. */
    requestId: optional(nameSchema),
  })
  .refine(({ question, questions }) => question !== undefined || questions !== undefined, {
    path: ['question'],
    error: 'is missing',
  });
export type QuestionFile = z.infer<typeof questionFileSchema>;

/** `{id}_answer.json` in the folder of questions. */
export const answerFileSchema = z
  .looseObject({
    /** Default: as the file is named. */
    id: optional(nameSchema),
    answer: optional(textSchema),
    /** The answers to several questions, by their titles or numbers, in place of `answer`. */
    answers: optional(z.record(z.string(), z.unknown())),
    /** The question is turned down, and `answer` says why. */
    rejected: optional(z.boolean()),
    /** The question is to be put in other words, and `answer` says how. */
    rephrase: optional(z.boolean()),
  })
  .refine(
    ({ answer = '', answers, rephrase }) =>
      answer.trim() !== '' || answers !== undefined || rephrase === true,
    {
      path: ['answer'],
      error: 'is empty',
    },
  );
