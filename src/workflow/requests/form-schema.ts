import { z } from 'zod';
import type { FormQuestion } from '../../events/form/form.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { normalise } from './question-words.ts';
import { MAX_OPTIONS, MIN_OPTIONS } from './options-schema.ts';

/** More at once nobody answers well. */
const MAX_QUESTIONS = 10;
/** In UTF-16 units, as below. */
const MAX_TITLE_LENGTH = 100;
const MAX_QUESTION_LENGTH = 4_096;
const MAX_LABEL_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_PREVIEW_LENGTH = 10_000;

const lineSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\r\n\u2028\u2029]/.test(text), 'expected one line');

const optionSchema = z.strictObject({
  label: lineSchema(MAX_LABEL_LENGTH),
  description: z.string().max(MAX_DESCRIPTION_LENGTH).optional().describe('What follows from it'),
  preview: z
    .string()
    .max(MAX_PREVIEW_LENGTH)
    .optional()
    .describe('How it would look: code, a sketch; shown while the option is looked at'),
  recommended: z.boolean().optional().describe('What you would take; one option at most'),
});

const questionSchema = z
  .strictObject({
    title: lineSchema(MAX_TITLE_LENGTH).describe('Names it in a few words; all different'),
    question: z.string().trim().max(MAX_QUESTION_LENGTH).optional().describe('The whole question'),
    options: z
      .array(optionSchema)
      .min(MIN_OPTIONS)
      .max(MAX_OPTIONS)
      .optional()
      .refine((options = []) => differ(options.map(({ label }) => label)), 'expected labels that differ')
      .refine(
        (options = []) => options.filter(({ recommended }) => recommended).length <= 1,
        'expected one recommended option at most',
      ),
    multiple: z.boolean().optional().describe('Several options may be chosen'),
    ownWords: z.boolean().optional().describe('false: only the options answer it'),
    required: z.boolean().optional().describe('false: it may stay unanswered'),
  })
  .refine(
    ({ options, ownWords }) => options !== undefined || ownWords !== false,
    'expected options, or own words',
  );

/** Several questions that are asked as one form, as agents and files write them. */
export const formSchema = z
  .array(questionSchema)
  .min(1)
  .max(MAX_QUESTIONS)
  .refine((questions) => differ(questions.map(({ title }) => title)), 'expected titles that differ')
  .refine(
    (questions) => JSON.stringify(questions).length <= MAX_TEXT_LENGTH,
    `expected at most ${MAX_TEXT_LENGTH} characters of JSON in all`,
  );
/** The keys that a question of a form may have, and an option of one. */
export const formKeys = {
  question: Object.keys(questionSchema.shape),
  option: Object.keys(optionSchema.shape),
} as const;

/** What {@link formSchema} takes. */
export type WrittenForm = z.infer<typeof formSchema>;

/** A form as it is asked. */
export function askedForm(questions: WrittenForm): FormQuestion[] {
  return questions.map(({ title, question, options, multiple, ownWords, required }) => ({
    title,
    ...(question ? { question } : {}),
    ...(options
      ? {
          options: options.map(({ label, description, preview, recommended }) => ({
            label,
            ...(description ? { description } : {}),
            ...(preview ? { preview } : {}),
            ...(recommended ? { recommended } : {}),
          })),
        }
      : {}),
    ...(multiple && options ? { multiple } : {}),
    ...(ownWords === false ? { ownWords } : {}),
    ...(required === false ? { required } : {}),
  }));
}

function differ(names: readonly string[]): boolean {
  return new Set(names.map(normalise)).size === names.length;
}
