import type { StoredEvent } from '../../events/envelope.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests, requestById } from '../../workflow/requests/find-request.ts';

/** Who is told of questions. */
export type QuestionWatcher = {
  readonly opened: (request: RequestState) => void;
  readonly closed: (request: RequestState) => void;
};

/** Tells of each question that opens and each that ends from now on, until the returned function is called. */
export function watchQuestions(project: Project, { opened, closed }: QuestionWatcher): () => void {
  const open = new Set(openRequests(project.state).map(({ id }) => id));
  return project.subscribe((events, state) => {
    for (const request of askedIn(events, state)) {
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

/** The questions these events asked. One may have ended with the same batch. */
function askedIn(events: readonly StoredEvent[], state: ProjectState): RequestState[] {
  return events.flatMap((event) => {
    if (event.type !== 'help.requested' && event.type !== 'task.blocked') return [];
    return requestById(state, event.data.requestId) ?? [];
  });
}
