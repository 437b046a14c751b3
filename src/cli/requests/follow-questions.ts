import { openRequests } from '../../workflow/requests/find-request.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { watchLeaving } from '../run/leaving.ts';
import { exitCodes } from '../exit-codes.ts';
import { printQuestions } from './print-questions.ts';
import { viewQuestion, type QuestionView } from '../../views/question-view.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { endText, questionEntry } from '../text/question-entry.ts';
import { watchQuestions } from './watch-questions.ts';

/** Prints questions, then each that opens or ends, until Ctrl-C, or until nobody reads it any more. */
export async function followQuestions(
  cli: Cli,
  project: Project,
  questions: readonly QuestionView[],
  { json }: { json: boolean },
): Promise<void> {
  const leaving = watchLeaving();
  const print = json ? printJson(cli) : printText(cli, project);
  if (json) for (const question of questions) print.opened(question);
  else printQuestions(cli, questions, { json });
  const stopWatching = watchQuestions(project, {
    opened: (request) => print.opened(viewQuestion(request)),
    closed: (request) => print.closed(viewQuestion(request)),
  });
  try {
    await project.until(() => cli.hasLostReader() || undefined, { signal: leaving.signal });
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    if (leaving.departure()?.cause === 'signal') cli.endWith(exitCodes.interrupted);
  } finally {
    stopWatching();
    leaving.stop();
  }
}

type Print = { opened: (question: QuestionView) => void; closed: (question: QuestionView) => void };

function printJson(cli: Cli): Print {
  const line = (question: QuestionView) => cli.print(JSON.stringify(question));
  return { opened: line, closed: line };
}

function printText(cli: Cli, project: Project): Print {
  return {
    opened: (question) => {
      const open = openRequests(project.state).map(({ id }) => id);
      const look = { style: cli.style, now: Date.now(), open };
      cli.print(`\n${questionEntry(question, look).join('\n')}`);
    },
    closed: (question) => {
      const time = cli.style('dim', clockTime(new Date().toISOString()));
      cli.print(`\n${time} ${question.id} was ${endText(question)}`);
    },
  };
}
