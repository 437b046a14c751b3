import { streamOf, taskOf, type StoredEvent } from '../../events/envelope.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';

/** What was asked in a sprint: all of it by now, or more. */
export type Asked = Pick<SprintState, 'requests'>;

/**
 * The task that an event is about: its own, or of a question that holds none up, such as how to merge one, and of what became of it,
 * the one that the question names.
 */
export function taskAbout(event: StoredEvent, sprint: Asked | undefined): string | undefined {
  const own = taskOf(event.subject);
  if (own !== undefined) return own;
  const { data } = event;
  if (event.type === 'help.requested') return event.data.task;
  const id = 'requestId' in data ? data.requestId : undefined;
  return id === undefined ? undefined : sprint?.requests.get(id)?.asked.task;
}

/** {@link Asked} of the sprint that an event is of. */
export function askedIn(state: Pick<ProjectState, 'streams'>, { subject }: StoredEvent): Asked | undefined {
  return state.streams.get(streamOf(subject));
}
