import { descriptorOf, type EventType } from '../events/catalog.ts';
import type { Mark } from '../events/descriptor.ts';

/** What an event is about, where that is not its first word. */
const nouns: Readonly<Record<string, string>> = {
  help: 'Question',
  notify: 'Message',
  tool: 'Call',
};

/** What an event is called for people: `task.started` is `Task started`. */
export function eventTitle(type: EventType, mark: Mark | undefined): string {
  if (type === 'help.requested' && mark === 'approval') return 'Approval asked for';
  const { title } = descriptorOf(type);
  if (title !== undefined) return title;
  const [noun = '', verb = ''] = type.split('.');
  return `${nouns[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1)} ${verb}`;
}
