import { taskOf, type StoredEvent } from '../../events/envelope.ts';

/** The task that an event is about: its own, or of a question that holds none up, such as how to merge one, the one it names. */
export function taskAbout(event: StoredEvent): string | undefined {
  return taskOf(event.subject) ?? (event.type === 'help.requested' ? event.data.task : undefined);
}
