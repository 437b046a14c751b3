import type { FormAnswer, FormQuestion } from '../../events/form/form.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { optionsTyped } from '../../lib/text/option-meant.ts';
import { visible, visibleLine } from '../../lib/text/visible.ts';
import { answerRules } from '../../events/form/answer-rules.ts';
import type { AnswerInput } from '../../workflow/requests/answer-input.ts';

type Field = Readonly<Record<string, unknown>>;

/** Since this revision of MCP a form may have lists to choose several of, and titles for what is chosen. */
const WITH_LISTS = '2025-11-25';

/** What a person may say in place of an answer: the names of two more fields. */
const REJECT = 'reject';
const REPHRASE = 'rephrase';

/**
 * A question, or several, as the schema of a form of MCP. Nothing in it is required: it may be turned down as well. What an agent has hidden in
 * its words is shown.
 */
export function elicitedSchema(questions: readonly FormQuestion[], protocol: string): Field {
  const fields = questions.flatMap((question, at) =>
    fieldsOf(question, `q${at + 1}`, protocol >= WITH_LISTS),
  );
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...fields,
      [REJECT, { type: 'string', title: 'Or reject it', description: 'Why: the agent is told' }],
      [REPHRASE, { type: 'string', title: 'Or ask for other words', description: 'What is unclear' }],
    ]),
  };
}

function fieldsOf(question: FormQuestion, key: string, hasLists: boolean): (readonly [string, Field])[] {
  const { options, multiple, ownWords } = question;
  const title = visibleLine(question.title);
  const description =
    visible([question.question, answerRules(question)].filter(Boolean).join(' ')) || undefined;
  const about = { title, ...(description === undefined ? {} : { description }) };
  if (!options) return [[key, { type: 'string', ...about }]];
  const labels = labelsOf(question);
  const choices = labels.map((label, at) => {
    const { recommended, description: said } = options[at] ?? {};
    const about = said === undefined ? '' : `: ${visibleLine(said)}`;
    return { const: label, title: `${visibleLine(label)}${recommended ? ' (recommended)' : ''}${about}` };
  });
  const listed = `${description ?? ''} By number, with commas: ${labels.map((label, at) => `${at + 1} ${label}`).join(', ')}`;
  const several = hasLists
    ? { type: 'array', ...about, items: { anyOf: choices } }
    : { type: 'string', ...about, description: listed.trim() };
  const one = hasLists
    ? { type: 'string', ...about, oneOf: choices }
    : { type: 'string', ...about, enum: labels };
  const words = { type: 'string', title: `${title}: in own words` };
  return [[key, multiple ? several : one], ...(ownWords === false ? [] : [[`${key}_words`, words] as const])];
}

/** The options as they stand in the form, and come back from it. */
function labelsOf({ options = [] }: FormQuestion): string[] {
  return options.map(({ label }) => visible(label));
}

/** What a person has said in such a form. Whether it fits the questions is not looked at. */
export function saidInForm(questions: readonly FormQuestion[], content: unknown): AnswerInput {
  const fields = isJsonObject(content) ? content : {};
  const [why, how] = [wordsIn(fields[REJECT]), wordsIn(fields[REPHRASE])];
  if (why !== undefined) return { rejected: true, response: why };
  if (how !== undefined) return { rephrase: true, response: how };
  return { answers: questions.map((question, at) => answerIn(question, at, fields)) };
}

function answerIn(question: FormQuestion, at: number, fields: Field): FormAnswer {
  const labels = labelsOf(question);
  const said = fields[`q${at + 1}`];
  const parts = (Array.isArray(said) ? said : [said]).flatMap((part) => wordsIn(part) ?? []);
  const meant = parts.map((part) => ({ part, options: meantBy(labels, part) }));
  const words = [
    ...meant.flatMap(({ part, options: named }) => (named.length === 0 ? [part] : [])),
    ...[wordsIn(fields[`q${at + 1}_words`])].flatMap((each) => each ?? []),
  ];
  return {
    question: at,
    options: meant.flatMap(({ options: named }) => named),
    ...(words.length === 0 ? {} : { words: words.join('\n') }),
  };
}

function meantBy(labels: readonly string[], part: string): number[] {
  const exact = labels.indexOf(part);
  return exact === -1 ? optionsTyped(labels, part) : [exact];
}

function wordsIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  return isUnseen(text) ? undefined : text;
}
