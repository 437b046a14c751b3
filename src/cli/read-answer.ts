import { CliffordError } from '../errors.ts';
import { optionWithNumber, optionWithText } from '../workflow/requests/option-meant.ts';
import type { Cli } from './cli.ts';
import { readText } from './read-text.ts';
import { emptyText, unknownOption } from './request-errors.ts';

/** What stands behind the question's id on the command line. */
export type AnswerOptions = { readonly option?: string; readonly reject?: string };

/** An answer, ready to be recorded. */
export type Said = { readonly response: string; readonly option?: number; readonly rejected?: true };

/**
 * The answer a command line gives: a text, an option, or why the question is turned down.
 *
 * @param offered - The options of the question.
 * @throws {CliffordError} `ANSWER_UNCLEAR`, `ANSWER_EMPTY`, `OPTION_UNKNOWN`.
 */
export async function readAnswer(
  cli: Pick<Cli, 'stdin'>,
  {
    name,
    text,
    options: { option, reject },
    offered,
  }: {
    name: string;
    text: string | undefined;
    options: AnswerOptions;
    offered: readonly string[];
  },
): Promise<Said> {
  if ([text, option, reject].filter((given) => given !== undefined).length !== 1) throw unclear(name);
  if (option !== undefined) return choose(name, option, offered);
  const response = await readText(cli, text ?? reject ?? '');
  if (response.trim() === '') throw emptyText(name);
  if (reject !== undefined) return { response, rejected: true };
  const at = optionWithText(offered, response);
  return at === undefined ? { response } : { response, option: at };
}

function choose(name: string, named: string, offered: readonly string[]): Said {
  const at = optionWithNumber(offered, named) ?? optionWithText(offered, named);
  const response = at === undefined ? undefined : offered[at];
  if (at === undefined || response === undefined) throw unknownOption(name, named, offered);
  return { response, option: at };
}

function unclear(name: string): CliffordError {
  return new CliffordError(`Cannot answer ${name}: it takes a text, --option or --reject, one of them`, {
    code: 'ANSWER_UNCLEAR',
    fix: `For example: clifford answer ${name} "…"`,
    recovery: 'fix-input',
  });
}
