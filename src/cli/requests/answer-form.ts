import { checkedAnswers, problemsText } from '../../events/form/checked-answers.ts';
import { answersText } from '../../events/form/answers-text.ts';
import type { FormAnswer, FormQuestion } from '../../events/form/form.ts';
import { readAnswersInWords } from '../../events/form/read-answers.ts';
import { formLines } from '../../views/form-text.ts';
import type { Cli } from '../cli.ts';
import { askLine } from '../input/ask-line.ts';
import { foreignText } from '../text/foreign.ts';

interface AskedForm {
  readonly question: string;
  readonly context?: string | undefined;
  readonly questions: readonly FormQuestion[];
}

/**
 * Has a person answer a form at the terminal, a question after the other, and look at all of it before it is sent.
 *
 * @returns `undefined` when they press Ctrl-C or Ctrl-D instead: nothing is sent.
 */
export async function answerForm(
  cli: Cli,
  { question: about, context, questions }: AskedForm,
): Promise<readonly FormAnswer[] | undefined> {
  print(cli, about);
  if (context !== undefined) print(cli, `context: ${context}`);
  let answers: readonly FormAnswer[] = [];
  for (const at of questions.keys()) {
    const given = await answerOne(cli, questions, at);
    if (given === undefined) return undefined;
    answers = [...answers, ...given];
  }
  for (;;) {
    cli.print('');
    print(cli, answersText(questions, answers));
    const word = await askLine(
      cli,
      `Send it? [y, or the number of a question to answer anew: 1-${questions.length}] `,
    );
    if (word === undefined) return undefined;
    if (/^y(es)?$/i.test(word.trim())) return answers;
    const at = Number(word) - 1;
    if (questions[at] === undefined) continue;
    const given = await answerOne(cli, questions, at);
    if (given === undefined) return undefined;
    answers = [...answers.filter(({ question }) => question !== at), ...given];
  }
}

/** The answer to one of the questions, none if it may stay without; asked again until it fits. */
async function answerOne(
  cli: Cli,
  questions: readonly FormQuestion[],
  at: number,
): Promise<readonly FormAnswer[] | undefined> {
  const asked = questions.slice(at, at + 1);
  cli.print('');
  for (const line of formLines(asked, at)) print(cli, line);
  for (;;) {
    const text = await askLine(cli, '> ');
    if (text === undefined) return undefined;
    const read = readAnswersInWords(asked, text);
    const checked = 'answers' in read ? checkedAnswers(asked, read.answers) : undefined;
    if (checked && 'answers' in checked)
      return checked.answers.map((answer) => ({ ...answer, question: at }));
    const problem = checked && 'problems' in checked ? problemsText(asked, checked.problems) : '';
    cli.print(`  not taken: ${'problem' in read ? read.problem : problem}`);
  }
}

function print(cli: Cli, text: string): void {
  for (const line of text.split('\n').flatMap((each) => foreignText(cli, each, 0))) cli.print(line);
}
