import type { EventType } from '../../../src/events/catalog.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';

/** Everything in the log, or the events of some types. */
export async function eventsOf<T extends EventType>(
  project: Project,
  ...types: T[]
): Promise<StoredEvent<T>[]> {
  const found: StoredEvent<T>[] = [];
  const isWanted = (event: StoredEvent): event is StoredEvent<T> =>
    types.length === 0 || types.some((type) => type === event.type);
  for await (const { events } of project.log.read()) found.push(...events.filter(isWanted));
  return found;
}

/** Waits until the log holds `count` events of a type, and returns them. */
export async function untilLogged<T extends EventType>(
  project: Project,
  type: T,
  count = 1,
): Promise<StoredEvent<T>[]> {
  const { promise, resolve, reject } = Promise.withResolvers<StoredEvent<T>[]>();
  const look = () =>
    eventsOf(project, type).then((events) => {
      if (events.length >= count) resolve(events);
    }, reject);
  const stop = project.subscribe(() => void look());
  try {
    await look();
    return await promise;
  } finally {
    stop();
  }
}

/** Waits until so many requests are open, and returns them, oldest first. */
export function untilOpen(project: Project, count = 1): Promise<RequestState[]> {
  return project.until((state) => {
    const open = openRequests(state);
    return open.length >= count ? open : undefined;
  });
}

/** Waits until one request is open. */
export async function untilAsked(project: Project): Promise<RequestState> {
  const [request] = await untilOpen(project);
  if (!request) throw new Error('no request is open');
  return request;
}
