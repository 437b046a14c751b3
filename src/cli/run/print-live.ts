import { type StoredEvent, streamOf, subjectOf } from '../../events/envelope.ts';
import { describeRequest, type RequestView } from '../../views/requests/describe-request.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { requestsOpenedBy } from '../../mcp/server/requests-opened-by.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { hanging } from '../text/paragraph.ts';
import { messageOf } from '../../lib/message-of.ts';
import { offersIn } from '../requests/offers.ts';
import { questionBlock } from '../text/question-lines.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { colourOfType } from '../text/colours.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { eventText } from '../../views/events/event-text.ts';
import { byUrgency } from '../../views/requests/request-order.ts';
import { askedIn } from '../../views/sprints/task-about.ts';

/**
 * Prints the events of a stream as they happen, questions in full, until the returned function is called.
 *
 * @param onQuestion - Called after a question was printed.
 */
export function printLive(
  cli: Cli,
  project: Project,
  stream: string,
  onQuestion: (request: RequestView) => void = () => {},
): () => void {
  return project.subscribe((events, state) => {
    for (const event of events) {
      if (streamOf(event.subject) !== stream) continue;
      const request = openedBy(event, state);
      cli.print(
        liveLine(event, cli, request ? 'a human has to answer:' : eventText(event, askedIn(state, event))),
      );
      if (!request) continue;
      printQuestion(cli, request);
      onQuestion(request);
    }
  });
}

/** Prints the questions of a stream that were open before. */
export function printOpenQuestions(cli: Cli, { state }: Project, stream: string): void {
  const open = openRequests(state).filter((request) => request.stream === stream);
  for (const request of open.map(describeRequest).sort(byUrgency)) {
    cli.print(
      `${cli.style('bold', visibleLine(subjectOf(stream, request.task)))} a human still has to answer:`,
    );
    printQuestion(cli, request);
  }
}

/** Prints what the card of a call offers besides, once it is found: the rule that humans have given already. */
export async function printOffer(
  cli: Pick<Cli, 'env' | 'note' | 'printLines'>,
  project: Project,
  request: Pick<RequestView, 'id' | 'approval'>,
): Promise<void> {
  if (!request.approval) return;
  try {
    const offer = (await offersIn(cli, project)([request])).get(request.id) ?? [];
    if (offer.length > 0) cli.printLines([`${visibleLine(request.id)}: ${offer.join(' ')}`]);
  } catch (error) {
    cli.note(`no rule can be offered for ${request.id}: ${messageOf(error)}`);
  }
}

function printQuestion(cli: Cli, request: RequestView): void {
  cli.printLines(questionBlock(request, cli));
}

/** The request this event opened, while it is open. */
function openedBy(event: StoredEvent, state: ProjectState): RequestView | undefined {
  const [request] = requestsOpenedBy([event], state);
  return request?.phase === 'open' ? describeRequest(request) : undefined;
}

/**
 * An event as it happens, as one line: time, task, type, and a text. Nothing is cut; what a terminal has no room
 * for goes on below.
 */
function liveLine(event: StoredEvent, cli: Pick<Cli, 'style' | 'stdout'>, text: string): string {
  const { style } = cli;
  const type = style(colourOfType(event.type), event.type);
  const head = `${style('dim', clockTime(event.time))} ${style('bold', visibleLine(event.subject))} ${type}`;
  return hanging(cli, `${head} `, text, 4).trimEnd();
}
