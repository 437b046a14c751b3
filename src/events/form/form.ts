import { z } from 'zod';
import { textSchema } from '../field-schemas.ts';

/** An answer that is offered with a question of a form. */
const formOptionSchema = z.strictObject({
  label: textSchema,
  /** What it means, and what follows from it. */
  description: textSchema.optional(),
  /** How it would look: code, a drawing, Markdown. */
  preview: textSchema.optional(),
  /** What the agent would take. A face marks it, and never chooses it. */
  recommended: z.literal(true).optional(),
});
/** See {@link formOptionSchema}. */
export type FormOption = z.infer<typeof formOptionSchema>;

/** One of several questions that are asked, shown and answered together. */
export const formQuestionSchema = z.strictObject({
  /** Names it, on one line: the titles of a form differ. */
  title: textSchema,
  /** The whole question. Absent: its title says it all. */
  question: textSchema.optional(),
  options: z.array(formOptionSchema).optional(),
  /** Several of the options may be chosen. */
  multiple: z.literal(true).optional(),
  /** Only its options answer it. */
  ownWords: z.literal(false).optional(),
  /** It may stay without an answer. */
  required: z.literal(false).optional(),
});
/** See {@link formQuestionSchema}. */
export type FormQuestion = z.infer<typeof formQuestionSchema>;

/** What a human answers to one question of a form. One without an answer has none of these. */
export const formAnswerSchema = z.strictObject({
  question: z.int().nonnegative().describe('Which question, the first one being 0'),
  options: z
    .array(z.int().nonnegative())
    .describe('Which of its options were chosen, the first one being 0, ascending'),
  /** In the human's own words: alone, or beside the options. */
  words: textSchema.optional(),
});
/** See {@link formAnswerSchema}. */
export type FormAnswer = z.infer<typeof formAnswerSchema>;

/** What was asked, whether in one question or in several. */
export type AskedForm = {
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  readonly multiple?: true | undefined;
  readonly questions?: readonly FormQuestion[] | undefined;
};

/** The questions of a request: those of its form, or its only one as the form it would be. */
export function questionsOf({ question, options, multiple, questions }: AskedForm): readonly FormQuestion[] {
  if (questions) return questions;
  const choices = options && options.length > 0 ? { options: options.map((label) => ({ label })) } : {};
  return [{ title: question, ...choices, ...(multiple ? { multiple } : {}) }];
}
