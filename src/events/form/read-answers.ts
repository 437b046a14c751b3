import { z } from 'zod';
import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import {
  numbersListed,
  optionsTyped,
  optionTyped,
  optionWithNumber,
  optionWithText,
} from '../../lib/text/option-meant.ts';
import { textSchema } from '../field-schemas.ts';
import type { FormAnswer, FormQuestion } from './form.ts';

const partSchema = z.union([textSchema, z.number()]);

/**
 * Answers as people and programs write them, by the title of their question or its number from 1: the number of an
 * option, its label, other words, several of these, or both apart.
 */
const writtenSchema = z.record(
  z.string(),
  z
    .union([
      partSchema,
      z.array(partSchema),
      z.strictObject({ options: z.array(partSchema).optional(), words: textSchema.optional() }),
    ])
    .nullable(),
);
type Written = z.infer<typeof writtenSchema>[string];

/** What they answer; or what is wrong with them, as a clause. */
export type ReadAnswers = { readonly answers: readonly FormAnswer[] } | { readonly problem: string };

/** Answers to these questions as {@link readAnswers} takes them, as a word to be typed in a shell: by numbers, whatever stands in the titles. */
export function answersExample(questions: readonly FormQuestion[]): string {
  return `'{${questions
    .slice(0, 2)
    .map((_, at) => `"${at + 1}":"…"`)
    .join(',')}}'`;
}

/** Reads answers out of JSON: an object with a member for each answer. */
export function readAnswers(questions: readonly FormQuestion[], json: unknown): ReadAnswers {
  const written = writtenSchema.safeParse(json);
  if (!written.success) {
    const where = written.error.issues[0]?.path.slice(0, 1).join('');
    return {
      problem:
        where === undefined || where === ''
          ? 'it is not a JSON object of answers'
          : `the answer to ${where} is no text, number or list of those`,
    };
  }
  const named: (readonly [question: number, value: Written])[] = [];
  for (const [name, value] of Object.entries(written.data)) {
    const question = questionNamed(questions, name);
    if (question === undefined) return { problem: noQuestion(questions, name) };
    named.push([question, value]);
  }
  return answersOf(questions, named);
}

/** Answers that a person typed, in lines of words: a slip of the finger is no answer. */
function answersTyped(
  questions: readonly FormQuestion[],
  typed: readonly (readonly [question: number, value: string | string[]])[],
): ReadAnswers {
  for (const [question, value] of typed) {
    const { title = '', options = [] } = questions[question] ?? {};
    const labels = options.map(({ label }) => label);
    const [strange] = [value]
      .flat()
      .map(numbersListed)
      .flatMap((numbers) => (numbers.every((each) => isNoOptionsNumber(labels, each)) ? numbers : []));
    if (strange !== undefined)
      return { problem: `${title} has no option ${strange}, only ${options.length}` };
  }
  return answersOf(questions, typed);
}

function answersOf(
  questions: readonly FormQuestion[],
  written: readonly (readonly [question: number, value: Written])[],
): ReadAnswers {
  const answers: FormAnswer[] = [];
  for (const [question, value] of written) {
    const asked = questions[question];
    const answer = asked && answerTo(asked, value);
    if (typeof answer === 'string') return { problem: `${asked?.title} ${answer}` };
    if (answer) answers.push({ question, ...answer });
  }
  return { answers };
}

/** Reads answers out of words: JSON, or a line `title: answer` for each, where a number may stand for both. */
export function readAnswersInWords(questions: readonly FormQuestion[], text: string): ReadAnswers {
  const [only, second] = questions;
  if (only && !second) return answersTyped(questions, [[0, text]]);
  const json = jsonValue(text);
  if (typeof json === 'object' && json !== null) return readAnswers(questions, json);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const written = lines.map((line) => lineOf(questions, line));
  const strange = written.findIndex((line) => line === undefined);
  if (lines.length === 0) return { problem: 'it is empty' };
  if (strange !== -1)
    return { problem: `no question is named in "${(lines[strange] ?? '').trim().slice(0, 60)}"` };
  const said = Map.groupBy(
    written.flatMap((line) => line ?? []),
    ({ question }) => question,
  );
  return answersTyped(
    questions,
    [...said].map(([question, values]) => [question, listed(values.map(({ value }) => value))]),
  );
}

function listed(values: readonly string[]): string | string[] {
  const [only = '', ...others] = values;
  return others.length === 0 ? only : [...values];
}

/** Titles may have colons: the longest that the line begins with is meant. */
function lineOf(
  questions: readonly FormQuestion[],
  line: string,
): { readonly question: number; readonly value: string } | undefined {
  const words = line.trim();
  const titles = questions
    .map(({ title }) => title.trim())
    .toSorted((one, other) => other.length - one.length);
  const title = titles.find((each) => words.toLowerCase().startsWith(`${each.toLowerCase()}:`));
  const [, number, value = ''] = /^(\d{1,3})\s*[:.)]\s*(?!\s)(.*)$/.exec(words) ?? [];
  const question = questionNamed(questions, title ?? number ?? '');
  if (question === undefined) return undefined;
  return { question, value: title === undefined ? value : words.slice(title.length + 1).trim() };
}

function questionNamed(questions: readonly FormQuestion[], name: string): number | undefined {
  const titles = questions.map(({ title }) => title);
  return optionWithText(titles, name) ?? optionWithNumber(titles, name);
}

function noQuestion(questions: readonly FormQuestion[], name: string): string {
  const titles = questions.map(({ title }, at) => `${at + 1} (${title})`).join(', ');
  return `no question is named ${name}: there are ${titles}`;
}

function answerTo(asked: FormQuestion, value: Written): Omit<FormAnswer, 'question'> | string {
  if (value === null) return { options: [] };
  if (typeof value !== 'object' || Array.isArray(value)) return parted(asked, [value].flat());
  const { options: named = [], words } = value;
  const chosen = parted(asked, named);
  if (typeof chosen === 'string') return chosen;
  if (chosen.words !== undefined) return `has no option ${chosen.words.split('\n', 1)[0] ?? ''}`;
  return { ...chosen, ...(words === undefined ? {} : { words }) };
}

/**
 * What several numbers mean that are not taken together: one option, where all of them are the same; or what is wrong with them. They are
 * no words of anybody's where one of them is an option's. A number alone may be an answer of its own, a port.
 */
function numbersMeant(
  labels: readonly string[],
  text: string,
  multiple: boolean,
): readonly number[] | string | undefined {
  const numbers = optionTyped(labels, text) ? [] : numbersListed(text);
  const meant = numbers.map((number) => optionTyped(labels, number)?.option);
  const chosen = meant.find((option) => option !== undefined);
  if (numbers.length < 2 || chosen === undefined) return undefined;
  const unknown = numbers[meant.indexOf(undefined)];
  if (unknown !== undefined) return `has no option ${unknown}, only ${labels.length}`;
  if (multiple) return `has options that are numbers: ${text.trim()} may be their words, or their places`;
  const { size } = new Set(numbers);
  return size === 1 ? [chosen] : `takes one of its options, not ${size}`;
}

/** So far behind the last option a number is a slip; a greater one may be what is meant, as of retries. */
const SLIP = 7;

/** A small number where options have numbers, and no label has any: who typed it meant one of them. */
function isNoOptionsNumber(labels: readonly string[], text: string): boolean {
  const isPressedTwice = text
    .split('')
    .every((digit) => Number(digit) >= 1 && Number(digit) <= labels.length);
  const isSmall = /^\d{1,2}$/.test(text) && (isPressedTwice || Number(text) <= labels.length + SLIP);
  if (!isSmall || labels.length === 0) return false;
  return optionTyped(labels, text) === undefined && !labels.some((label) => /\d/.test(label));
}

/** What calls an option is that; the rest are words. */
function parted(
  { options = [], multiple }: FormQuestion,
  parts: readonly (string | number)[],
): Omit<FormAnswer, 'question'> | string {
  const labels = options.map(({ label }) => label);
  const [only, ...others] = parts;
  const several = multiple && others.length === 0 ? optionsTyped(labels, String(only ?? '')) : [];
  if (several.length > 0) return { options: several };
  const numbers =
    others.length === 0 ? numbersMeant(labels, String(only ?? ''), multiple === true) : undefined;
  if (numbers !== undefined) return typeof numbers === 'string' ? numbers : { options: [...numbers] };
  const meant = parts.map((part) => ({ part, option: optionTyped(labels, String(part))?.option }));
  const isNumber =
    labels.length > 0 && meant.find(({ part, option }) => typeof part === 'number' && option === undefined);
  if (isNumber) return `has no option ${isNumber.part}, only ${labels.length}`;
  const words = meant.filter(({ part, option }) => option === undefined && !isUnseen(String(part)));
  return {
    options: meant.flatMap(({ option }) => option ?? []),
    ...(words.length === 0 ? {} : { words: words.map(({ part }) => String(part)).join('\n') }),
  };
}
