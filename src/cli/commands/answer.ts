import { answerLine } from '../../events/form/answers-text.ts';
import { Option, type Command } from 'commander';
import { questionsOf, type FormQuestion } from '../../events/form/form.ts';
import { answersExample, readAnswers } from '../../events/form/read-answers.ts';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { answerRequest } from '../../workflow/requests/answer.ts';
import { approvalVerdictOf } from '../../workflow/requests/approval-words.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { takesEmpty } from '../../views/requests/takes-empty.ts';
import { isForAskerAlone, isTyped } from '../../machines/typed-words.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';
import { findRequest, requestById } from '../../workflow/requests/find-request.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { decider, requireHuman } from '../../workflow/project/require-human.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { decideIn } from '../requests/decide-in.ts';
import { answerForm, tellUnsent } from '../requests/answer-form.ts';
import { emptyText, lostRace, unknownOption } from '../requests/request-errors.ts';
import { whileOpen } from '../requests/while-open.ts';
import { isMeantCall } from '../requests/shown-call.ts';
import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { CliffordError } from '../../errors.ts';
import { optionTyped, optionWithLetter } from '../../lib/text/option-meant.ts';
import { checkText, readText } from '../input/read-text.ts';
import { canAsk } from '../input/yes-or-no.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { answersUnfit, type AnswerInput } from '../../workflow/requests/answer-input.ts';

/** `clifford answer`: the human's word to a question, from any shell. */
export function addAnswer(program: Command, cli: Cli): void {
  program
    .command('answer')
    .summary('answer a question')
    .description(
      'Answers a question. The first answer wins: one that comes later is told who was first. Of several questions at ' +
        'once each is asked on a terminal, where nothing else is given.',
    )
    .argument('<id|last>', 'id of the question, a unique beginning of it, or last for the only open one')
    .argument('[text]', 'what the agent is told; - reads stdin')
    .option('--option <n>', 'one of the options instead, by its text, in any case, its number or its letter')
    .option(
      '--answers <json>',
      'to a form: the answer to each question by its title or number; - reads stdin',
    )
    .addOption(new Option('--reject <why>', 'reject it: the agent is told why').conflicts('option'))
    .option('--rephrase <how>', 'have it put in other words: the agent is told what is unclear')
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford answer last "Use port 8080"\n  clifford answer last --option 2\n' +
        '  clifford answer last --reject "Out of scope: leave the API as it is"\n' +
        `  clifford answer last --answers '{"Database":"SQLite","Features":[1,3]}'`,
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
  await decideIn(cli, { verb: 'answer', name }, async (project) => {
    const request = findRequest(project.state, name);
    const { id, asked } = request;
    if (asked.approval) requireHuman(cli, `answer ${id}`, project);
    const isEmpty = typed !== undefined && 'words' in typed && typed.words === '';
    if (isEmpty && (request.phase !== 'open' || !takesEmpty(asked))) throw emptyText(name, 'answer');
    const said = await saidTo(cli, project, request, { ...options, name, typed });
    if (said === undefined) return cli.endWith(exitCodes.interrupted);
    // Whatever call it is by now, a no only stops it.
    const { response = '', rejected, rephrase } = said;
    const allows =
      asked.approval !== undefined && !rephrase && approvalVerdictOf({ response, rejected }) === 'approved';
    if (allows && !(await isMeantCall(cli, project, request, { verb: 'answer', name, json: options.json })))
      return;
    if (looksSecret(JSON.stringify(said)) || (asksSecret(asked) && !isEmpty && !rejected && !rephrase))
      cli.note('this looks like a secret; answers are kept in the log as they are');
    const by = decider(cli, project);
    const done = rejected ? 'rejected' : rephrase ? 'rephrasing' : 'answered';
    await closeAndTell(cli, project, request, {
      verb: 'answer',
      done,
      json: options.json,
      close: async () => {
        const outcome = await answerRequest(project, id, { ...said, by, via: 'cli' });
        const isTyped = typed === undefined && said.answers !== undefined;
        if (!outcome.accepted && isTyped) tellUnsent(cli, asked.questions ?? [], said.answers ?? []);
        return outcome;
      },
      say: (ended, isAwaited) => {
        const did = rephrase ? 'asked to rephrase' : done;
        const { answer: told } = withShownAnswer(ended);
        const words = isEmpty ? 'Enter alone' : visibleLine(told ? answerLine(told) : response);
        cli.print(`${did} ${id} (${visibleLine(asked.question)}): ${words}`);
        if (isNumberOfNone(said, asked.options)) cli.note(`there is no option ${words}: it stands as words`);
        if (!isAwaited)
          cli.print(
            isForAskerAlone(ended)
              ? 'its program has not taken it yet: if it is gone, the next attempt hears that it was answered, and asks again'
              : `no agent waits for it now: the next attempt is told${toWhom(ended)}`,
          );
      },
    });
  });
}

/** Words of one's own that are a number: it may have been meant for an option, and is none of theirs. */
function isNumberOfNone(
  { option, response = '', rejected, rephrase }: AnswerInput,
  options: readonly string[] = [],
): boolean {
  if (rejected || rephrase) return false;
  return options.length > 0 && option === undefined && /^\s*\d+\s*$/.test(response);
}

/** Whom else it is told, or by what means. */
function toWhom({ asked, answer }: RequestState): string {
  if (asked.kind !== 'prompt') return ', or whoever asks the same again';
  return answer && asksSecret(asked) && isTyped(asked, answer)
    ? ', if it has the tools of Clifford: a secret stands in no command line'
    : '';
}

/** What stands behind the question's id on the command line. */
type AnswerOptions = {
  readonly option?: string;
  readonly answers?: string;
  readonly reject?: string;
  readonly rephrase?: string;
  readonly json?: true;
};

/** What was typed: the words, the option they call, answers as JSON, or why it is not answered. `undefined`: nothing. */
type Typed =
  | { readonly words: string }
  | { readonly option: string }
  | { readonly answers: string }
  | { readonly rejected: true; readonly response: string }
  | { readonly rephrase: true; readonly response: string }
  | undefined;

/**
 * What a command line gives.
 *
 * @param name - The question, as it was named.
 */
async function readAnswer(
  cli: Pick<Cli, 'stdin'>,
  name: string,
  { text, option, answers, reject, rephrase }: AnswerOptions & { readonly text: string | undefined },
): Promise<Typed> {
  const given = [text, option, answers, reject, rephrase].filter((each) => each !== undefined);
  const swallowed = [reject, rephrase].find((each) => each?.startsWith('--'));
  if (swallowed !== undefined)
    throw textLeftOut(name, reject === undefined ? '--rephrase' : '--reject', swallowed);
  if (given.length > 1) throw unclear(name);
  const [first] = given;
  if (first === undefined) return undefined;
  if (option !== undefined) return { option };
  const words = await readText(cli, first);
  if (answers !== undefined) return { answers: words };
  // Typed so it may be meant, where a program takes Enter alone; what else gives nothing may have failed.
  if (isUnseen(words) && text !== '') throw emptyText(name, text === undefined ? 'reason' : 'answer');
  if (reject !== undefined) return { rejected: true, response: words };
  return rephrase === undefined ? { words } : { rephrase: true, response: words };
}

/**
 * What it means for a question. `undefined`: who was asked at the terminal said nothing.
 *
 * @throws {CliffordError} `REQUEST_CLOSED` when somebody else was faster than who is asked at the terminal.
 */
async function saidTo(
  cli: Cli,
  project: Project,
  request: RequestState,
  { name, typed, json }: Pick<AnswerOptions, 'json'> & { readonly name: string; readonly typed: Typed },
): Promise<AnswerInput | undefined> {
  const { question, context, questions, options: offered = [] } = request.asked;
  if (typed === undefined) {
    if (!questions || request.phase !== 'open' || json || !canAsk(cli)) throw unclear(name, questions);
    return whileOpen(project, request, async (closed) => {
      const { answers, isToBeSent } = await answerForm(cli, { question, context, questions }, closed);
      if (isToBeSent) return { answers };
      if (!closed.aborted) return undefined;
      tellUnsent(cli, questions, answers);
      throw lostRace('answer', request.id, requestById(project.state, request.id));
    });
  }
  if ('answers' in typed) return answersIn(request, typed.answers);
  if ('response' in typed) return typed;
  if ('words' in typed) return optionTyped(offered, typed.words) ?? { response: typed.words };
  const option = optionTyped(offered, typed.option)?.option ?? optionWithLetter(offered, typed.option);
  const response = option === undefined ? undefined : offered[option];
  if (option === undefined || response === undefined) throw unknownOption(name, typed.option, offered);
  return { response, option };
}

function answersIn(request: RequestState, text: string): AnswerInput {
  const json = jsonValue(text);
  const read = readAnswers(questionsOf(request.asked), json);
  if ('answers' in read) {
    // As it stands in what is printed to be typed.
    for (const { words } of read.answers) checkText(words ?? '');
    return read;
  }
  throw answersUnfit(request, read.problem);
}

/** The parser took the next option for the text. */
function textLeftOut(name: string, option: string, next: string): CliffordError {
  return new CliffordError(`Cannot answer ${name}: ${option} takes the text itself, and ${next} follows it`, {
    code: 'ANSWER_UNCLEAR',
    fix: `For example: clifford answer ${name} ${option} "…"`,
  });
}

function unclear(name: string, questions?: readonly FormQuestion[]): CliffordError {
  const takes = questions ? '--answers' : 'a text, --option';
  return new CliffordError(`Cannot answer ${name}: it takes ${takes}, --reject or --rephrase, one of them`, {
    code: 'ANSWER_UNCLEAR',
    fix: questions
      ? `For example: clifford answer ${name} --answers ${answersExample(questions)}`
      : `For example: clifford answer ${name} "…"`,
  });
}
