import { descriptorOf, eventTypes, type EventType } from '../events/catalog.ts';
import type { Reach } from '../events/descriptor.ts';
import type { Reaching } from './reaching.ts';

/** Does the task's machine know it? */
export const isTaskEvent = reaches('task', 'own');
/** Does it concern every task of the sprint? */
export const isSprintWide = reaches('task', 'every');
/** May it move the sprint's machine? */
export const movesSprint = reaches('sprint', 'moves');
/** Does the sprint's machine have a say in it? */
export const concernsSprint = reaches('sprint', 'moves', 'allows');
/** Does it open the request it names? */
export const opensRequest = reaches('request', 'opens');
/** Does it go to the request it names? */
export const goesToRequest = reaches('request', 'own');
/** Does it end requests that are still open? */
export const endsRequests = reaches('request', 'ends');

/** Events that go to the one request they name. */
export const requestTypes: readonly EventType[] = eventTypes.filter((type) => goesToRequest({ type }));

/** Asked of every event of a log: a set answers faster than its descriptor. */
function reaches<M extends keyof Reach, How extends Reach[M]>(machine: M, ...ways: readonly How[]) {
  const types: ReadonlySet<EventType> = new Set(
    eventTypes.filter((type) => ways.some((how) => how === descriptorOf(type).reaches?.[machine])),
  );
  return <E extends { type: EventType }>(event: E): event is E & { type: Reaching<M, How> } =>
    types.has(event.type);
}
