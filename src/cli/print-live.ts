import type { StoredEvent } from '../events/envelope.ts';
import { streamOf } from '../events/envelope.ts';
import { describeRequest } from '../machines/describe.ts';
import type { RequestView } from '../machines/describe.ts';
import type { ProjectState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project.ts';
import type { Cli } from './cli.ts';
import { liveLine } from './text/event-line.ts';
import { questionLines } from './text/question-lines.ts';

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
      cli.print(liveLine(event, cli, request && 'a human has to answer:'));
      if (!request) continue;
      for (const line of questionLines(request)) cli.print(`    ${line}`);
      onQuestion(request);
    }
  });
}

/** The request this event opened, while it is open. */
function openedBy(event: StoredEvent, { streams }: ProjectState): RequestView | undefined {
  if (event.type !== 'help.requested' && event.type !== 'task.blocked') return undefined;
  const request = streams.get(streamOf(event.subject))?.requests.get(event.data.requestId);
  return request?.phase === 'open' ? describeRequest(request) : undefined;
}
