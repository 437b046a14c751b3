import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { viewQuestion, type QuestionView } from '../../views/question-view.ts';
import { questionEntry } from '../text/question-entry.ts';

/** The questions of a project, oldest first. With `all`, finished sprints are read again for theirs. */
export function listQuestions(state: ProjectState, { all }: { all: boolean }): QuestionView[] {
  return (all ? everyRequest(state) : openRequests(state)).map(viewQuestion);
}

/** Prints questions for people, or as one JSON array. */
export function printQuestions(
  cli: Cli,
  questions: readonly QuestionView[],
  { json }: { json: boolean },
): void {
  if (json) return cli.printJson(questions);
  const open = questions.filter(({ phase }) => phase === 'open').map(({ id }) => id);
  const look = { style: cli.style, now: Date.now(), open };
  const entries = questions.map((question) => questionEntry(question, look).join('\n'));
  cli.print(entries.length === 0 ? 'No question is open' : entries.join('\n\n'));
}

function everyRequest({ streams }: ProjectState): RequestState[] {
  return streams
    .values()
    .flatMap(({ requests }) => [...requests.values()])
    .sort((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}
