import { Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { withOffers } from '../requests/offers.ts';
import { revealed } from '../requests/reveal.ts';
import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { processesOf } from '../project/processes.ts';
import { withProject } from '../project/with-project.ts';
import { openRequests, requestById } from '../../workflow/requests/find-request.ts';
import type { Project } from '../../workflow/project/project.ts';
import { watchLeaving } from '../run/leaving.ts';
import { exitCodes } from '../exit-codes.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { viewQuestion, type QuestionView } from '../../views/requests/question-view.ts';
import { byUrgency } from '../../views/requests/request-order.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { endLines, questionEntry } from '../text/question-entry.ts';
import { requestsOpenedBy } from '../../mcp/server/requests-opened-by.ts';
import type { RequestState, ProjectState } from '../../machines/project-state.ts';

type Options = { json?: true; watch?: true; all?: true; reveal?: true };

/** `clifford questions`: everything that waits for a human, in all sprints. */
export function addQuestions(program: Command, cli: Cli): void {
  program
    .command('questions')
    .summary('list the questions that are open')
    .description(
      'Lists the questions that wait for a human, in all sprints and outside: the greatest risk first, then what waits longest. With --all the oldest first.',
    )
    .option('--all', 'also closed questions, and how they ended')
    .addOption(
      new Option('--reveal', 'calls that wait with all their arguments, secrets too').conflicts('watch'),
    )
    .option('--watch', 'keep printing questions that open or close, until Ctrl-C')
    .option('--json', 'for programs: [ … ]; with --watch one object per line')
    .addHelpText('after', '\nExamples:\n  clifford questions\n  clifford questions --watch --json')
    .action(({ json, watch, all, reveal }: Options) =>
      withProject(cli, async (project) => {
        if (reveal) requireHuman(cli, 'reveal the arguments of a call', project);
        const listed = listQuestions(project.state, { all: all === true });
        const shown = reveal ? await Promise.all(listed.map(revealed)) : listed;
        const questions = await withOffers(cli, project, shown);
        if (watch) await followQuestions(cli, project, questions, { json: json === true });
        else printQuestions(cli, project, questions, { json: json === true });
      }),
    );
}

/** Prints questions, then each that opens or ends, until Ctrl-C, or until nobody reads it any more. */
async function followQuestions(
  cli: Cli,
  project: Project,
  questions: readonly QuestionView[],
  { json }: { json: boolean },
): Promise<void> {
  const leaving = watchLeaving();
  const print = json ? printJson(cli) : printText(cli, project);
  if (json) for (const question of questions) print.opened(question);
  else printQuestions(cli, project, questions, { json });
  const stopWatching = watchQuestions(project, {
    opened: (request) => print.opened(viewQuestion(request, project.state, isAlive)),
    closed: (request) => print.closed(viewQuestion(request, project.state, isAlive)),
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
      const print = ([shown = question]: readonly QuestionView[]) => {
        const open = openRequests(project.state).map(({ id }) => id);
        const look = { ...cli, ...processesOf(project), now: Date.now(), open };
        cli.print(`\n${questionEntry(shown, look).join('\n')}`);
      };
      if (!question.approval) return print([question]);
      // A card without its offer is better than none.
      return void withOffers(cli, project, [question]).then(print, () => print([question]));
    },
    closed: (question) => {
      const time = cli.style('dim', clockTime(new Date().toISOString()));
      cli.print(`\n${time} ${question.id} was ${endLines(question).join('\n  ')}`);
    },
  };
}

/** Who is told of questions. */
type QuestionWatcher = {
  readonly opened: (request: RequestState) => void;
  readonly closed: (request: RequestState) => void;
};

/** Tells of each question that opens and each that ends from now on, until the returned function is called. */
function watchQuestions(project: Project, { opened, closed }: QuestionWatcher): () => void {
  const open = new Set(openRequests(project.state).map(({ id }) => id));
  return project.subscribe((events, state) => {
    // One may have ended with the same batch.
    for (const request of requestsOpenedBy(events, state)) {
      if (open.has(request.id)) continue;
      open.add(request.id);
      opened(request);
    }
    // Not only an answer ends a question: the end of its task does, too.
    for (const id of open) {
      const request = requestById(state, id);
      if (!request || request.phase === 'open') continue;
      open.delete(id);
      closed(request);
    }
  });
}

/** The questions that wait, in the order of all faces; with `all` every one, oldest first: finished sprints are read again for theirs. */
function listQuestions(state: ProjectState, { all }: { all: boolean }): QuestionView[] {
  if (all) return everyRequest(state).map((request) => viewQuestion(request, state, isAlive));
  return openRequests(state)
    .map((request) => viewQuestion(request, state, isAlive))
    .sort(byUrgency);
}

/** Prints questions for people, or as one JSON array. */
function printQuestions(
  cli: Cli,
  project: Project,
  questions: readonly QuestionView[],
  { json }: { json: boolean },
): void {
  if (json) return cli.printJson(questions);
  const waiting = questions.filter(({ phase }) => phase === 'open');
  const look = { ...cli, ...processesOf(project), now: Date.now(), open: waiting.map(({ id }) => id) };
  const entries = questions.map((question) => {
    const ofSprint = waiting.filter(({ sprint }) => sprint === question.sprint);
    const alike = alikeIn(ofSprint, question.id).length || 1;
    return questionEntry({ ...question, alike }, look).join('\n');
  });
  cli.print(entries.length === 0 ? 'No question is open' : entries.join('\n\n'));
}

function everyRequest({ streams }: ProjectState): RequestState[] {
  return streams
    .values()
    .flatMap(({ requests }) => [...requests.values()])
    .sort((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}
