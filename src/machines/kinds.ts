import { createKind, type Instance } from './instance.ts';
import { requestMachine, type RequestEvent } from './request.machine.ts';
import { sprintMachine } from './sprint.machine.ts';
import { taskMachine } from './task.machine.ts';

/** The machine of each task, prepared. */
export const taskKind = createKind(taskMachine);
/** The machine of each sprint, prepared. */
export const sprintKind = createKind(sprintMachine);
const requestKind = createKind(requestMachine);

/** Where one task stands. */
export type TaskInstance = Instance<typeof taskMachine>;
/** Where one sprint stands. */
export type SprintInstance = Instance<typeof sprintMachine>;

/** The states of the request machine. */
export type RequestPhase = 'open' | 'answered' | 'delivered' | 'dismissed';

/** The answers of {@link stepRequest}, which follow from the machine alone. */
const nextPhase = new Map<string, RequestPhase | undefined>();

/**
 * The phase after an event, `undefined` when the event is not legal in this one.
 *
 * The request machine has neither context nor guards, so each answer is asked of it once and kept.
 */
export function stepRequest(phase: RequestPhase, event: RequestEvent): RequestPhase | undefined {
  const key = `${phase} ${event.type}`;
  if (nextPhase.has(key)) return nextPhase.get(key);
  const instance = requestKind.revive({ value: phase, context: {} });
  let next: RequestPhase | undefined;
  if (instance.can(event)) {
    instance.step(event);
    next = instance.value as RequestPhase;
  }
  nextPhase.set(key, next);
  return next;
}
