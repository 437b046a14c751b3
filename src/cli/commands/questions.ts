import { Option, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Cli } from '../cli.ts';
import { withFiles } from '../requests/files-of-call.ts';
import { withOffers } from '../requests/offers.ts';
import { revealed } from '../requests/reveal.ts';
import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { processesOf } from '../project/processes.ts';
import { tellTrouble } from '../project/tell-trouble.ts';
import { everywhereOption } from '../input/everywhere-option.ts';
import { noteEmptyLog } from '../project/note-empty-log.ts';
import { withProject } from '../project/with-project.ts';
import { withProjects } from '../project/with-projects.ts';
import { openRequests, requestById } from '../../workflow/requests/find-request.ts';
import type { Project } from '../../workflow/project/project.ts';
import { watchLeaving } from '../run/leaving.ts';
import { exitCodes } from '../exit-codes.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { viewQuestion, type QuestionView } from '../../views/requests/question-view.ts';
import { byUrgency } from '../../views/requests/request-order.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { hanging } from '../text/paragraph.ts';
import { endLines, questionEntry } from '../text/question-entry.ts';
import { requestName } from '../text/short-id.ts';
import { subjectOf } from '../../events/envelope.ts';
import { requestsOpenedBy } from '../../mcp/server/requests-opened-by.ts';
import type { RequestState, ProjectState } from '../../machines/project-state.ts';

type Options = { json?: true; watch?: true; all?: true; reveal?: true; everywhere?: true };

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
    .addOption(everywhereOption().conflicts('reveal'))
    .option('--watch', 'keep printing questions that open or close, until Ctrl-C')
    .option('--json', 'for programs: [ … ]; with --watch one object per line')
    .addHelpText('after', '\nExamples:\n  clifford questions\n  clifford questions --watch --json')
    .action(({ json, watch, all, reveal, everywhere }: Options) => {
      const how = { isJson: json === true, all: all === true, watch: watch === true };
      if (everywhere)
        return withProjects(cli, (projects) =>
          questionsOf(
            cli,
            projects.map((each) => ({ ...each, label: each.name })),
            how,
          ),
        );
      return withProject(cli, async (project) => {
        if (reveal) requireHuman(cli, 'reveal the arguments of a call', project);
        noteEmptyLog(cli, project);
        await questionsOf(cli, [{ cli, project, reveals: reveal === true }], how);
      });
    });
}

/** A project whose questions are listed, and what it is called among several. */
type Listed = {
  readonly cli: Cli;
  readonly project: Project;
  readonly label?: string;
  readonly reveals?: boolean;
};

type How = { readonly isJson: boolean; readonly all: boolean; readonly watch: boolean };

/** Prints the questions of these projects, and with `watch` each that opens or ends, until Ctrl-C, or until nobody reads it any more. */
async function questionsOf(cli: Cli, projects: readonly Listed[], how: How): Promise<void> {
  const asked = (await Promise.all(projects.map((each) => questionsIn(each, how)))).flat();
  // Those of one project are in its order.
  if (projects.length > 1)
    asked.sort(how.all ? byAge : (one, other) => byUrgency(one.question, other.question));
  if (how.isJson && how.watch) for (const { of, question } of asked) printJson(of).opened(question);
  else if (how.isJson) cli.printJson(asked.map(({ of, question }) => labelled(question, of.label)));
  else if (asked.length === 0) cli.print('No question is open');
  else cli.print((await Promise.all(asked.map(entryOf))).join('\n\n'));
  if (how.watch) await followQuestions(cli, projects, how);
}

/** A question, whose it is, and what waits there with it. */
type Asked = {
  readonly of: Listed;
  readonly question: QuestionView;
  readonly waiting: readonly QuestionView[];
};

const byAge = (one: Asked, other: Asked) =>
  Date.parse(one.question.askedAt) - Date.parse(other.question.askedAt);

async function questionsIn(of: Listed, { all }: How): Promise<Asked[]> {
  const { cli, project, reveals } = of;
  const listed = listQuestions(project.state, { all });
  const shown = await withOffers(cli, project, reveals ? await Promise.all(listed.map(revealed)) : listed);
  const waiting = shown.filter(({ phase }) => phase === 'open');
  return shown.map((question) => ({ of, question, waiting }));
}

/** A question for programs: with its project among those of several. */
function labelled(
  question: QuestionView,
  label: string | undefined,
): QuestionView & { readonly project?: string } {
  return label === undefined ? question : { project: label, ...question };
}

async function followQuestions(cli: Cli, projects: readonly Listed[], { isJson }: How): Promise<void> {
  const leaving = watchLeaving();
  const follow = async (each: Listed) => {
    const { project } = each;
    const print = isJson ? printJson(each) : printText(each);
    const stopWatching = watchQuestions(project, {
      opened: (request) => print.opened(viewQuestion(request, project.state, isAlive)),
      closed: (request) => print.closed(viewQuestion(request, project.state, isAlive)),
    });
    const named = (text: string) => cli.note(each.label === undefined ? text : `${each.label}: ${text}`);
    const stopTelling = tellTrouble({ note: named }, project);
    try {
      await project.until(() => undefined, { signal: AbortSignal.any([leaving.signal, cli.lostReader]) });
    } catch (error) {
      if (leaving.signal.aborted || cli.lostReader.aborted) return;
      // The others are watched on.
      if (projects.length === 1 || !(error instanceof CliffordError)) throw error;
      cli.endWith(exitCodes.failed);
      cli.note(`${each.label ?? ''} is not watched any more: ${error.inOneLine}`);
    } finally {
      stopWatching();
      stopTelling();
    }
  };
  try {
    await Promise.all(projects.map(follow));
    if (leaving.departure()?.cause === 'signal') cli.endWith(exitCodes.interrupted);
  } finally {
    leaving.stop();
  }
}

type Print = { opened: (question: QuestionView) => void; closed: (question: QuestionView) => void };

function printJson({ cli, label }: Listed): Print {
  const line = (question: QuestionView) => cli.print(JSON.stringify(labelled(question, label)));
  return { opened: line, closed: line };
}

function printText(of: Listed): Print {
  const { cli, project } = of;
  const head = headOf(of);
  return {
    opened: (question) => {
      const print = ([shown = question]: readonly QuestionView[]) => {
        const open = openRequests(project.state).map(({ id }) => id);
        const look = { ...cli, ...processesOf(project), now: Date.now(), open };
        cli.print(`\n${head}${questionEntry(shown, look).join('\n')}`);
      };
      if (!question.approval) return print([question]);
      // A card without its offer is better than none.
      return void withOffers(cli, project, [question])
        .then((shown) => Promise.all(shown.map((each) => withFiles(project, each))))
        .then(print, () => print([question]));
    },
    closed: (question) => {
      const time = cli.style('dim', clockTime(new Date().toISOString()));
      const named = `${requestName(question, [question.id])} ${visibleLine(subjectOf(question.sprint, question.task))}`;
      // Whoever waits for it gets it now.
      const [ended = '', ...answers] = endLines({ ...question, phase: 'delivered' });
      cli.printLines([
        '',
        hanging(cli, `${time} ${head}`, `${named}: was ${ended}`, 2),
        ...answers.map((line) => `  ${line}`),
      ]);
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

async function entryOf({ of, question, waiting }: Asked): Promise<string> {
  const { cli, project } = of;
  const look = { ...cli, ...processesOf(project), now: Date.now(), open: waiting.map(({ id }) => id) };
  const ofSprint = waiting.filter(({ sprint }) => sprint === question.sprint);
  const alike = alikeIn(ofSprint, question.id).length || 1;
  return headOf(of) + questionEntry({ ...(await withFiles(project, question)), alike }, look).join('\n');
}

/** Among several, the project stands in front. */
function headOf({ cli, label }: Listed): string {
  return label === undefined ? '' : `${cli.style('bold', visibleLine(label))}: `;
}

function everyRequest({ streams }: ProjectState): RequestState[] {
  return streams
    .values()
    .flatMap(({ requests }) => [...requests.values()])
    .sort((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}
