import { optionTyped } from '../lib/text/option-meant.ts';

/** Where a person is among the options of a question; `undefined`: at words of their own. */
export type Choice = { readonly at: number | undefined };

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
  return words.text.trim() === '' ? undefined : { response: words.text };
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
