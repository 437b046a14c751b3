import { type StoredEvent, streamOf } from '../../events/envelope.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';

/** The requests that these events opened, oldest first. */
export function requestsOpenedBy(events: readonly StoredEvent[], state: ProjectState): RequestState[] {
  return events.flatMap((event) => {
    if (event.type !== 'help.requested' && event.type !== 'task.blocked') return [];
    return state.streams.get(streamOf(event.subject))?.requests.get(event.data.requestId) ?? [];
  });
}
