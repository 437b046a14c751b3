import type { StoredEvent } from '../events/envelope.ts';

/**
 * An event of the whole sprint as one of its tasks hears it: where `sprint.started` names a limit of the
 * task's own, that one is the limit.
 */
export function eventForTask<E extends StoredEvent>(
  event: E,
  taskId: string,
): E | StoredEvent<'sprint.started'> {
  if (event.type !== 'sprint.started') return event;
  const own = event.data.limits?.find(({ id }) => id === taskId);
  return own ? { ...event, data: { ...event.data, maxAttempts: own.maxAttempts } } : event;
}
