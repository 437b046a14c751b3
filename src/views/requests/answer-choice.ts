import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { optionsWithNumbers, optionTyped } from '../../lib/text/option-meant.ts';

/** Where a person is among the options of a question. */
export type Choice = {
  /** `undefined`: at words of their own. */
  readonly at: number | undefined;
  /** The options that were marked, where several may be chosen. */
  readonly marked?: readonly number[];
};

export const noChoice: Choice = { at: undefined };

/** Words that were typed so far. What was pasted names no option. */
export type Words = { readonly text: string; readonly isPasted?: boolean | undefined };

/** An answer as it is sent. */
export type ChosenAnswer = { readonly response: string; readonly option?: number | undefined };

/** The option that is meant so far: the one that was moved to, or that the words name. */
export function optionMeant(
  options: readonly string[],
  { at }: Choice,
  { text, isPasted }: Words,
): number | undefined {
  return at ?? (isPasted ? undefined : optionTyped(options, text)?.option);
}

/** What is sent now; `undefined`: there is nothing yet. */
export function chosenAnswer(
  options: readonly string[],
  choice: Choice,
  words: Words,
): ChosenAnswer | undefined {
  const option = optionMeant(options, choice, words);
  const response = option === undefined ? undefined : options[option];
  if (response !== undefined) return { response, option };
  return isUnseen(words.text) ? undefined : { response: words.text };
}

/**
 * The choice after a step up or down: options stand above the words. Words that name an option are where that is, and
 * nothing is chosen by being there first.
 */
export function stepChoice(
  options: readonly string[],
  choice: Choice,
  { words, by }: { readonly words: Words; readonly by: 1 | -1 },
): Choice {
  const from = optionMeant(options, choice, words) ?? (by === 1 ? -1 : options.length);
  const at = Math.max(0, from + by);
  return { at: at < options.length ? at : undefined };
}

/** The options that are chosen so far where several may be: the marked ones, or those that the words have the numbers of. */
export function optionsMarked(
  options: readonly string[],
  { marked = [] }: Choice,
  words: Words,
): readonly number[] {
  return marked.length > 0 ? marked : numbersIn(options, words);
}

/** The choice with an option marked, or not any more. */
export function toggleMark(choice: Choice, at: number): Choice {
  const { marked = [] } = choice;
  const others = marked.filter((each) => each !== at);
  return { at, marked: others.length < marked.length ? others : [...marked, at].toSorted((a, b) => a - b) };
}

/** What is sent where several options may be chosen: each on a line, own words last; `undefined`: there is nothing yet. */
export function chosenAnswers(
  options: readonly string[],
  choice: Choice,
  words: Words,
): ChosenAnswer | undefined {
  const marked = optionsMarked(options, choice, words);
  const isOwn = !isUnseen(words.text) && numbersIn(options, words).length === 0;
  const chosen = marked.flatMap((at) => options[at] ?? []);
  const [only, ...others] = marked;
  if (!isOwn && only !== undefined && others.length === 0) return { response: chosen.join(''), option: only };
  const lines = [...chosen, ...(isOwn ? [words.text] : [])];
  return lines.length === 0 ? undefined : { response: lines.join('\n') };
}

function numbersIn(options: readonly string[], { text, isPasted }: Words): number[] {
  return isPasted ? [] : optionsWithNumbers(options, text);
}
