import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { nameSchema } from '../../events/field-schemas.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { formHeading } from '../../events/form/form-heading.ts';
import { askedForm, formKeys, formSchema } from '../../workflow/requests/form-schema.ts';
import { count } from '../../lib/text/count.ts';
import type { Question } from '../../workflow/requests/ask.ts';
import {
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
  MIN_OPTIONS,
  optionsSchema,
} from '../../workflow/requests/options-schema.ts';
import type { Cli } from '../cli.ts';
import type { AskOptions } from '../commands/ask.ts';
import { checkText, readText } from '../input/read-text.ts';

/**
 * The question of a command line. One with options is a clarification. What is blank says nothing: a
 * script may fill in what it does not have.
 *
 * @throws {CliffordError} `QUESTION_MISSING`, `QUESTION_AMBIGUOUS`, `OPTIONS_INVALID`, `QUESTIONS_INVALID`, `TASK_INVALID`, `TEXT_TOO_LONG`.
 */
export async function readQuestion(cli: Pick<Cli, 'stdin'>, options: AskOptions): Promise<Question> {
  const task = unlessBlank(options.task);
  const [reason, context] = [options.reason, options.context].map((text) => unlessBlank(text));
  for (const text of [reason, context]) checkText(text ?? '');
  if (task !== undefined && !nameSchema.safeParse(task).success) throw noTask(task);
  const choices = options.option && readOptions(options.option);
  if (options.argument !== undefined && options.question !== undefined) throw twoQuestions();
  const form = options.questions === undefined ? undefined : await readForm(cli, options.questions);
  const question = (await readText(cli, options.argument ?? options.question ?? '')).trim();
  if (question === '' && !form) throw noQuestion();
  return {
    kind: choices || form ? 'clarification' : 'help',
    question: question === '' && form ? formHeading(form) : question,
    questions: form,
    task,
    reason,
    context,
    options: choices,
  };
}

/** @throws {CliffordError} `QUESTIONS_INVALID` */
async function readForm(cli: Pick<Cli, 'stdin'>, text: string): Promise<FormQuestion[]> {
  const parsed = writtenSchema.safeParse(jsonValue(await readText(cli, text)));
  if (parsed.success) return askedForm(parsed.data);
  const [issue] = parsed.error.issues;
  throw new CliffordError(`Cannot ask these questions: ${issue ? wrongForm(issue) : ''}`, {
    code: 'QUESTIONS_INVALID',
    fix: `Give a JSON list, e.g. --questions '[{"title":"Database","options":["Postgres","SQLite"]}]'`,
  });
}

/** A form as people write it: an option that has a label alone may be that text, as with `--option`. */
const writtenSchema = z.preprocess(
  (form) => (Array.isArray(form) ? form.map((question) => withLabels(question)) : form),
  formSchema,
);

const withOptions = z.looseObject({ options: z.array(z.unknown()) });

function withLabels(question: unknown): unknown {
  const { data } = withOptions.safeParse(question);
  if (!data) return question;
  const options = data.options.map((option) => (typeof option === 'string' ? { label: option } : option));
  return { ...data, options };
}

/** What is wrong with a form, and where, counted from 1. */
function wrongForm(issue: z.core.$ZodIssue): string {
  const [question, , option] = issue.path;
  const where = issue.path
    .flatMap((at, depth) => {
      if (typeof at === 'number') return `${depth === 0 ? 'question' : 'option'} ${at + 1}`;
      return depth === 1 && typeof option === 'number' ? [] : String(at);
    })
    .join(', ');
  const of = option === undefined ? 'question' : 'option';
  const what =
    issue.code === 'unrecognized_keys' && question !== undefined
      ? `it has no key ${issue.keys.join(', ')}; the keys of ${of === 'option' ? 'an option' : 'a question'} are ${formKeys[of].join(', ')}`
      : issue.message;
  return where === '' ? what : `${where}: ${what}`;
}

function unlessBlank(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

function readOptions(given: readonly string[]): string[] {
  const { data, error } = optionsSchema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (issue) throw badOptions(given, issue);
  return data ?? [];
}

function badOptions(given: readonly string[], { path: [at], code }: z.core.$ZodIssue): CliffordError {
  const what =
    typeof at === 'number' ? `option ${at + 1}: ${wrongOption(given[at], code)}` : wrongList(given, code);
  return new CliffordError(`Cannot offer ${what}`, {
    code: 'OPTIONS_INVALID',
    fix: 'Correct --option, or leave it out: the human can always answer in other words',
  });
}

function wrongOption(option: string | undefined, code: string): string {
  if (code === 'too_small') return 'it is empty';
  return `it may have at most ${MAX_OPTION_LENGTH} characters (it has ${option?.length})`;
}

function wrongList({ length }: readonly string[], code: string): string {
  if (code === 'custom') return 'the same option twice: they have to differ';
  return `${count(length, 'option')}: there have to be ${MIN_OPTIONS} to ${MAX_OPTIONS}`;
}

function noTask(task: string): CliffordError {
  return new CliffordError(
    `Cannot ask about task ${task.slice(0, 40)}…: no task has ${task.length} characters`,
    { code: 'TASK_INVALID', fix: 'Name the task by its id, as the manifest does' },
  );
}

function twoQuestions(): CliffordError {
  return new CliffordError('Cannot ask two questions at once: one is the argument, one is --question', {
    code: 'QUESTION_AMBIGUOUS',
    fix: 'Leave one of them out, or ask them one after the other',
  });
}

/** To wait for a question, one is not asked. */
export function questionAndRequest(request: string): CliffordError {
  return new CliffordError(`Cannot ask, and wait for ${request}: it is one or the other`, {
    code: 'QUESTION_AMBIGUOUS',
    fix: 'Leave the question out, or --request',
  });
}

function noQuestion(): CliffordError {
  return new CliffordError('Cannot ask: there is no question', {
    code: 'QUESTION_MISSING',
    fix: 'Give one as the argument, clifford ask "…", or go on waiting for one with --request <id>',
  });
}
