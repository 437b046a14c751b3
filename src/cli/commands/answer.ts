import { Option, type Command } from 'commander';
import { looksSecret } from '../../events/secrets/redaction.ts';
import { answerRequest } from '../../workflow/requests/answer.ts';
import { approvalVerdictOf } from '../../workflow/requests/approval-words.ts';
import { asksSecret } from '../../workflow/requests/asks-secret.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { decider, requireHuman } from '../../workflow/project/require-human.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { emptyText, unknownOption } from '../requests/request-errors.ts';
import { isMeantCall } from '../requests/shown-call.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { withProject } from '../project/with-project.ts';
import { CliffordError } from '../../errors.ts';
import {
  optionTyped,
  optionWithLetter,
  optionWithNumber,
  optionWithText,
} from '../../lib/text/option-meant.ts';
import { readText } from '../input/read-text.ts';

/** `clifford answer`: the human's word to a question, from any shell. */
export function addAnswer(program: Command, cli: Cli): void {
  program
    .command('answer')
    .summary('answer a question')
    .description('Answers a question. The first answer wins: one that comes later is told who was first.')
    .argument('<id|last>', 'id of the question, a unique beginning of it, or last for the only open one')
    .argument('[text]', 'what the agent is told; - reads stdin')
    .option('--option <n>', 'one of the options instead, by its number, its letter or its text, in any case')
    .addOption(new Option('--reject <why>', 'reject it: the agent is told why').conflicts('option'))
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford answer last "Use port 8080"\n  clifford answer last --option 2\n' +
        '  clifford answer last --reject "Out of scope: leave the API as it is"',
    )
    .action((name: string, text: string | undefined, options: AnswerOptions) =>
      answer(cli, name, text, options),
    );
}

async function answer(
  cli: Cli,
  name: string,
  text: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const typed = await readAnswer(cli, name, { ...options, text });
  await withProject(cli, async (project) => {
    const request = findRequest(project.state, name);
    const { id, asked } = request;
    if (asked.approval) requireHuman(cli, `answer ${id}`, project);
    const said = asSaid(name, typed, asked.options ?? []);
    // Whatever call it is by now, a no only stops it.
    const allows = asked.approval !== undefined && approvalVerdictOf(said) === 'approved';
    if (allows && !(await isMeantCall(cli, request, { verb: 'answer', name, json: options.json }))) return;
    if (looksSecret(said.response) || (asksSecret(asked) && !said.rejected))
      cli.note('this looks like a secret; answers are kept in the log as they are');
    const by = decider(cli, project);
    const did = said.rejected ? 'rejected' : 'answered';
    await closeAndTell(cli, project, request, {
      verb: 'answer',
      done: did,
      json: options.json,
      close: () => answerRequest(project, id, { ...said, by, via: 'cli' }),
      say: (_ended, isAwaited) => {
        cli.print(`${did} ${id} (${visibleLine(asked.question)}): ${visibleLine(said.response)}`);
        if (!isAwaited)
          cli.print('no agent waits for it now: the next attempt is told, or whoever asks the same again');
      },
    });
  });
}

/** What stands behind the question's id on the command line. */
type AnswerOptions = { readonly option?: string; readonly reject?: string; readonly json?: true };

/** What was typed: the words, or the option they call. */
type Typed = { readonly words: string } | { readonly option: string } | { readonly why: string };

/** An answer, ready to be recorded. */
type Said = { readonly response: string; readonly option?: number; readonly rejected?: true };

/**
 * The answer a command line gives: a text, an option, or why the question is turned down.
 *
 * @param name - The question, as it was named.
 */
async function readAnswer(
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

/** What it means for a question with these options. The number of an option, or its words, are that option. */
function asSaid(name: string, typed: Typed, offered: readonly string[]): Said {
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
  });
}
