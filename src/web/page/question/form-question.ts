import type { FormAnswer, FormQuestion as SentFormQuestion } from '../../../events/form/form.ts';
import { isUnseen } from '../../../lib/text/hidden-characters.ts';
import type { SentQuestion } from '../../api/question.ts';
import { emptyPart, type Draft, type Part } from './draft.ts';

/** Something to choose. */
export type FormOption = {
  readonly label: string;
  readonly description?: string | undefined;
  /** How it would look: plain text. */
  readonly preview?: string | undefined;
  readonly isRecommended?: boolean | undefined;
};

/** One question of a form. */
export type FormQuestion = {
  /** Stands above it where there are several. */
  readonly title?: string | undefined;
  /** Markdown. */
  readonly text: string;
  readonly options: readonly FormOption[];
  readonly isMultiple: boolean;
  /** Words of the reader's own are an answer. */
  readonly takesWords: boolean;
  readonly isRequired: boolean;
  /** Of a program: its words are no Markdown, and it may ask for a line that nobody is to see, or for a key. */
  readonly program?: 'asks' | 'asks-secret' | 'asks-key' | undefined;
};

/** The questions of a request: most have one. */
export function questionsOf({
  kind,
  question,
  options,
  isMultiple,
  questions,
  secret,
  awaitsKey,
  takesEmpty,
}: SentQuestion): readonly FormQuestion[] {
  if (questions) return questions.map(partOfForm);
  const labels = options.map((label) => ({ label }));
  const program =
    kind !== 'prompt'
      ? undefined
      : secret === 'asked'
        ? 'asks-secret'
        : awaitsKey && options.length === 0
          ? 'asks-key'
          : 'asks';
  const isRequired = program !== 'asks-key' && !takesEmpty;
  return [{ text: question, options: labels, isMultiple, takesWords: true, isRequired, program }];
}

function partOfForm({
  title,
  question,
  options = [],
  multiple,
  ownWords,
  required,
}: SentFormQuestion): FormQuestion {
  return {
    title,
    text: question ?? '',
    options: options.map(({ recommended, ...option }) => ({
      ...option,
      isRecommended: recommended === true,
    })),
    isMultiple: multiple === true,
    takesWords: ownWords !== false || options.length === 0,
    isRequired: required !== false,
  };
}

/** What is meant of the question at a place. */
export function partAt({ parts }: Draft, at: number): Part {
  return parts[at] ?? emptyPart;
}

/** The draft with another part. */
export function withPart(draft: Draft, at: number, part: Part): Draft {
  const parts = Array.from({ length: Math.max(draft.parts.length, at + 1) }, (_, each) =>
    partAt(draft, each),
  );
  return { ...draft, parts: parts.with(at, part) };
}

/** Whether something is said that can be sent. */
export function isSaid({ chosen, words }: Part): boolean {
  return chosen.length > 0 || !isUnseen(words);
}

/** Whether the words are meant: of a question that takes one answer, those that were written before an option was chosen are not. */
function isOwn({ isMultiple }: FormQuestion, { chosen, words }: Part): boolean {
  return !isUnseen(words) && (isMultiple || chosen.length === 0);
}

/** The part after an option was pressed. */
export function choose(part: Part, at: number, isMultiple: boolean): Part {
  if (!isMultiple) return { ...part, chosen: [at] };
  const others = part.chosen.filter((each) => each !== at);
  const isNew = others.length === part.chosen.length;
  return { ...part, chosen: isNew ? [...others, at].toSorted((a, b) => a - b) : others };
}

/** What is sent for questions that are asked together: those that are answered, by their positions. */
export function answersOf(questions: readonly FormQuestion[], draft: Draft): readonly FormAnswer[] {
  return questions.flatMap((question, at) => {
    const part = partAt(draft, at);
    if (!isSaid(part)) return [];
    const { chosen, words } = part;
    return [{ question: at, options: [...chosen], ...(isOwn(question, part) ? { words } : {}) }];
  });
}

/** What is sent for a question alone: an option by its number, several a line each, own words last. */
export function answerOf(question: FormQuestion, part: Part): { response: string; option?: number } {
  const { options, program } = question;
  const { chosen, words } = part;
  const labels = chosen.flatMap((at) => options[at]?.label ?? []);
  const own = isOwn(question, part) ? [words] : [];
  if (program === 'asks-key' && own.length === 0) return { response: 'Enter' };
  const [only] = chosen;
  if (labels.length === 1 && own.length === 0 && only !== undefined)
    return { response: labels.join(''), option: only };
  return { response: [...labels, ...own].join('\n') };
}
