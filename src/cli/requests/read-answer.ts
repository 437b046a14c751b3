import { CliffordError } from '../../errors.ts';
import {
  optionTyped,
  optionWithLetter,
  optionWithNumber,
  optionWithText,
} from '../../workflow/requests/option-meant.ts';
import type { Cli } from '../cli.ts';
import { readText } from '../input/read-text.ts';
import { emptyText, unknownOption } from './request-errors.ts';

/** What stands behind the question's id on the command line. */
export type AnswerOptions = { readonly option?: string; readonly reject?: string };

/** What was typed: the words, or the option they call. */
type Typed = { readonly words: string } | { readonly option: string } | { readonly why: string };

/** An answer, ready to be recorded. */
export type Said = { readonly response: string; readonly option?: number; readonly rejected?: true };

/**
 * The answer a command line gives: a text, an option, or why the question is turned down.
 *
 * @param name - The question, as it was named.
 * @throws {CliffordError} `ANSWER_UNCLEAR` unless it is one of the three, `ANSWER_EMPTY`.
 */
export async function readAnswer(
  cli: Pick<Cli, 'stdin'>,
  name: string,
  { text, option, reject }: AnswerOptions & { readonly text: string | undefined },
): Promise<Typed> {
  if ([text, option, reject].filter((given) => given !== undefined).length !== 1) throw unclear(name);
  if (option !== undefined) return { option };
  const words = await readText(cli, text ?? reject ?? '');
  if (words.trim() === '') throw emptyText(name, reject === undefined ? 'answer' : 'reason');
  return reject === undefined ? { words } : { why: words };
}

/**
 * What it means for a question with these options. The number of an option, or its words, are that option.
 *
 * @throws {CliffordError} `OPTION_UNKNOWN`, listing those there are.
 */
export function asSaid(name: string, typed: Typed, offered: readonly string[]): Said {
  if ('why' in typed) return { response: typed.why, rejected: true };
  if ('words' in typed) return optionTyped(offered, typed.words) ?? { response: typed.words };
  const option =
    optionWithNumber(offered, typed.option) ??
    optionWithText(offered, typed.option) ??
    optionWithLetter(offered, typed.option);
  const response = option === undefined ? undefined : offered[option];
  if (option === undefined || response === undefined) throw unknownOption(name, typed.option, offered);
  return { response, option };
}

function unclear(name: string): CliffordError {
  return new CliffordError(`Cannot answer ${name}: it takes a text, --option or --reject, one of them`, {
    code: 'ANSWER_UNCLEAR',
    fix: `For example: clifford answer ${name} "…"`,
    recovery: 'fix-input',
  });
}
