import type { StoredEvent } from '../../events/envelope.ts';
import { applyEvent } from '../../machines/fold.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { instantOf, outsideText, type Until } from './until.ts';

/** One event of a stream, and the state right after it, of this stream alone. */
export type Moment = { readonly event: StoredEvent; readonly state: ProjectState };

/** A stream's history from its first event, folded from nothing. The state is the same object each time. */
export async function* historyOf(
  { log, state: now }: Pick<Project, 'log' | 'state'>,
  stream: string,
  until?: Until,
): AsyncGenerator<Moment> {
  const last = until && instantOf(until, now.streams.get(stream)?.lastEventAt);
  const toVersion = until && 'version' in until ? until.version : Infinity;
  const state = createProjectState();
  for await (const { events } of log.select({ stream })) {
    for (const event of events) {
      if (event.streamversion > toVersion || (last !== undefined && event.time > last)) return;
      applyEvent(state, event);
      yield { event, state };
    }
  }
}

/** What to say where a stream has no such moment, as {@link outsideText}. */
export async function outsideOf(
  project: Pick<Project, 'log' | 'state'>,
  stream: string,
  until: Until,
): Promise<string | undefined> {
  const { version: length = 0, lastEventAt } = project.state.streams.get(stream) ?? {};
  for await (const { event } of historyOf(project, stream))
    return outsideText(until, { length, firstAt: event.time, lastAt: lastEventAt ?? event.time });
  return undefined;
}
