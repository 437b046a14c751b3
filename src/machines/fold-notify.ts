import type { EventData } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { SprintState } from './project-state.ts';
import { isToldAt, type ChannelPlace, type NoticeSent } from './told.ts';

/** So many of what was told about a sprint are known: each kind to each channel needs one. */
const MAX_TOLD = 64;

/** What an event says about the calls to humans who are elsewhere: whoever calls next has to know what was told. */
export function foldNotify(sprint: SprintState, event: StoredEvent): void {
  if (event.type === 'notify.settled') return foldSettled(sprint, event.data);
  if (event.type === 'notify.sent') foldSent(sprint, event.data, event.time);
}

/** A sprint as it is once the log has these, if it has not yet, for whoever only reads it: it shares the rest with `sprint`. */
export function withSent(sprint: SprintState, sent: readonly EventData<'notify.sent'>[]): SprintState {
  const requests = new Map(sprint.requests);
  const tasks = new Map(sprint.tasks);
  for (const { requests: ids = [], failures = [] } of sent) {
    for (const id of ids) copyIn(requests, id);
    for (const { task } of failures) copyIn(tasks, task);
  }
  const copy = { ...sprint, requests, tasks };
  for (const each of sent) foldSent(copy, each);
  return copy;
}

function copyIn<T extends object>(all: Map<string, T>, id: string): void {
  const known = all.get(id);
  if (known) all.set(id, { ...known });
}

/** `time`: of the event, RFC 3339; there is none yet of what says itself when it was sent. */
function foldSent(sprint: SprintState, data: EventData<'notify.sent'>, time = ''): void {
  const { channel, place, about, requests, failures, ref, showsCall, sentAt: at = time } = data;
  const where = { channel, ...(place === undefined ? {} : { place }) };
  if (failures) return foldFailures(sprint, where, failures);
  const told: NoticeSent = {
    ...where,
    about,
    at,
    ...(ref === undefined ? {} : { ref }),
    ...(showsCall ? { showsCall } : {}),
  };
  if (requests === undefined) {
    const others = (sprint.told ?? []).filter((each) => !isToldAt(each, where) || each.about !== about);
    sprint.told = [...others, told].slice(-MAX_TOLD);
    return;
  }
  for (const id of requests) {
    const request = sprint.requests.get(id);
    if (!request || request.told?.some((each) => isToldAt(each, where) && each.at === at && each.ref === ref))
      continue;
    request.told = [...(request.told ?? []), told];
  }
}

/** By its attempt: one that fails while another one is told is another failure. */
function foldFailures(
  sprint: SprintState,
  where: ChannelPlace,
  failures: NonNullable<EventData<'notify.sent'>['failures']>,
): void {
  for (const { task: id, attempt } of failures) {
    const task = sprint.tasks.get(id);
    if (!task) continue;
    const others = (task.failuresTold ?? []).filter((each) => !isToldAt(each, where));
    task.failuresTold = [...others, { ...where, attempt }].slice(-MAX_TOLD);
  }
}

function foldSettled(sprint: SprintState, { ref, request: id, ...where }: EventData<'notify.settled'>): void {
  const request = sprint.requests.get(id);
  if (!request?.told) return;
  request.told = request.told.map((told) =>
    isToldAt(told, where) && told.ref === ref ? { ...told, isSettled: true } : told,
  );
}
