import { descriptorOf, eventTypes, type EventType } from '../events/catalog.ts';
import type { Reach } from '../events/descriptor.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { Reaching } from './reaching.ts';

const taskTypes = typesReaching('task', ['own']);
const sprintWideTypes = typesReaching('task', ['every']);
const movingTypes = typesReaching('sprint', ['moves']);
const sprintTypes = typesReaching('sprint', ['moves', 'allows']);
const openingTypes = typesReaching('request', ['opens']);
const ownRequestTypes = typesReaching('request', ['own']);
const endingTypes = typesReaching('request', ['ends']);

/** Events that go to the one request they name. */
export const requestTypes: readonly EventType[] = [...ownRequestTypes];

/** Does the task's machine know it? */
export function isTaskEvent<E extends { type: EventType }>(
  event: E,
): event is E & { type: Reaching<'task', 'own'> } {
  return taskTypes.has(event.type);
}

/** Does it concern every task of the sprint? */
export function isSprintWide(event: StoredEvent): event is StoredEvent<Reaching<'task', 'every'>> {
  return sprintWideTypes.has(event.type);
}

/** May it move the sprint's machine? */
export function movesSprint(event: StoredEvent): event is StoredEvent<Reaching<'sprint', 'moves'>> {
  return movingTypes.has(event.type);
}

/** Does the sprint's machine have a say in it? */
export function concernsSprint<E extends { type: EventType }>(
  event: E,
): event is E & { type: Reaching<'sprint'> } {
  return sprintTypes.has(event.type);
}

/** Does it open the request it names? */
export function opensRequest<E extends { type: EventType }>(
  event: E,
): event is E & { type: Reaching<'request', 'opens'> } {
  return openingTypes.has(event.type);
}

/** Does it go to the request it names? */
export function goesToRequest<E extends { type: EventType }>(
  event: E,
): event is E & { type: Reaching<'request', 'own'> } {
  return ownRequestTypes.has(event.type);
}

/** Does it end requests that are still open? */
export function endsRequests(event: StoredEvent): event is StoredEvent<Reaching<'request', 'ends'>> {
  return endingTypes.has(event.type);
}

/** Asked of every event of a log: a set answers faster than its descriptor. */
function typesReaching<M extends keyof Reach>(machine: M, ways: readonly Reach[M][]): ReadonlySet<EventType> {
  return new Set(
    eventTypes.filter((type) => {
      const how = descriptorOf(type).reaches?.[machine];
      return how !== undefined && ways.includes(how);
    }),
  );
}
