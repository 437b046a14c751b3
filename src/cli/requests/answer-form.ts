import { checkedAnswers, problemsText } from '../../events/form/checked-answers.ts';
import { answersText } from '../../events/form/answers-text.ts';
import type { FormAnswer, FormQuestion } from '../../events/form/form.ts';
import { readAnswersInWords } from '../../events/form/read-answers.ts';
import { questionLines, waysToAnswer } from '../../views/requests/form-text.ts';
import { unfenced } from '../../views/text/unfenced.ts';
import type { Cli } from '../cli.ts';
import { askLine } from '../input/ask-line.ts';
import { foreignText } from '../text/foreign.ts';

interface AskedForm {
  readonly question: string;
  readonly context?: string | undefined;
  readonly questions: readonly FormQuestion[];
}

/** How far a person has come with a form. */
export type FilledForm = {
  readonly answers: readonly FormAnswer[];
  /** They have looked at all of it, and want it sent. Otherwise they have left, or it was closed meanwhile. */
  readonly isToBeSent: boolean;
};

/**
 * Has a person answer a form at the terminal, a question after the other, and look at all of it before it is sent. Ctrl-C and
 * Ctrl-D leave it.
 *
 * @param closed - Aborts once somebody else has closed it: nothing more is asked then.
 */
export async function answerForm(
  cli: Cli,
  { question: about, context, questions }: AskedForm,
  closed: AbortSignal,
): Promise<FilledForm> {
  print(cli, about);
  if (context !== undefined) print(cli, `context: ${unfenced(context)}`);
  let answers: readonly FormAnswer[] = [];
  const answer = async (at: number): Promise<boolean> => {
    const given = await answerOne(cli, questions, at, closed);
    if (given) answers = [...answers.filter(({ question }) => question !== at), ...given];
    return given !== undefined;
  };
  for (const at of questions.keys()) if (!(await answer(at))) return { answers, isToBeSent: false };
  for (;;) {
    cli.print('');
    print(cli, answersText(questions, answers));
    const asks = `Send it? [y, or the number of a question to answer anew: 1-${questions.length}] `;
    const word = await askLine(cli, asks, { signal: closed });
    if (word === undefined) return { answers, isToBeSent: false };
    if (/^y(es)?$/i.test(word.trim())) return { answers, isToBeSent: true };
    const at = Number(word) - 1;
    if (questions[at] !== undefined && !(await answer(at))) return { answers, isToBeSent: false };
  }
}

/** Prints what was answered of a form that nobody takes any more: it is not typed in vain. */
export function tellUnsent(
  cli: Cli,
  questions: readonly FormQuestion[],
  answers: readonly FormAnswer[],
): void {
  const isAnswered = (_: FormQuestion, at: number) => answers.some(({ question }) => question === at);
  const said = questions.filter(isAnswered);
  if (said.length === 0) return;
  const renumbered = answers.map((each) => ({
    ...each,
    question: said.findIndex((question) => question === questions[each.question]),
  }));
  cli.print('Not sent, what you had answered:');
  print(cli, answersText(said, renumbered));
}

/** The answer to one of the questions, none if it may stay without; asked again until it fits. */
async function answerOne(
  cli: Cli,
  questions: readonly FormQuestion[],
  at: number,
  closed: AbortSignal,
): Promise<readonly FormAnswer[] | undefined> {
  const asked = questions.slice(at, at + 1);
  cli.print('');
  for (const question of asked) print(cli, questionLines(question, at).join('\n'));
  const ways = asked.map(waysToAnswer).join('');
  for (;;) {
    const text = await askLine(cli, `Answer [${ways}] `, { signal: closed });
    if (text === undefined) return undefined;
    const read = readAnswersInWords(asked, text);
    const checked = 'answers' in read ? checkedAnswers(asked, read.answers) : undefined;
    if (checked && 'answers' in checked)
      return checked.answers.map((answer) => ({ ...answer, question: at }));
    const problem = checked && 'problems' in checked ? problemsText(asked, checked.problems) : '';
    print(cli, `  not taken: ${'problem' in read ? read.problem : problem}`);
  }
}

function print(cli: Cli, text: string): void {
  for (const line of text.split('\n').flatMap((each) => foreignText(cli, each, 0))) cli.print(line);
}
