import { eventCatalog, type EventData, type EventType } from '../../events/catalog.ts';
import type { TitleOf } from '../../events/descriptor.ts';
import type { Diagram } from '../../machines/diagram/model.ts';
import type { StoredEvent } from '../../events/envelope.ts';

type Titles = {
  readonly [T in EventType]: { readonly title?: TitleOf<EventData<T>>; readonly callTitle?: string };
};

const catalog: Titles = eventCatalog;

/** What an event is about, where that is not its first word. */
const nouns: Readonly<Record<string, string>> = {
  help: 'Question',
  notify: 'Message',
  tool: 'Call',
};

/** What an event is called for people: `task.started` is `Task started`. */
export function eventTitle({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string {
  return titleFor(type, data) ?? wordsOf(type);
}

/** The same where there is only its type to go by. */
export function titleOfType(type: string): string {
  const known = Object.hasOwn(catalog, type) ? titleFor(type as EventType, {}) : undefined;
  return known ?? wordsOf(type);
}

/** What an event of this type is called where the request that it is about is a call; `undefined`: no otherwise. */
export function callTitleOfType(type: string): string | undefined {
  return Object.hasOwn(catalog, type) ? catalog[type as EventType].callTitle : undefined;
}

/** What the events of these transitions are called where they are about a call, by their types: of those that are called otherwise then. */
export function callTitlesOf(transitions: Diagram['transitions']): Record<string, string> {
  const titles = transitions.map(({ event }) => [event, callTitleOfType(event)] as const);
  return Object.fromEntries(titles.filter((each): each is [string, string] => each[1] !== undefined));
}

/** What the events of these transitions are called, by their types. */
export function titlesOf(transitions: Diagram['transitions']): Record<string, string> {
  return Object.fromEntries(transitions.map(({ event }) => [event, titleOfType(event)]));
}

function wordsOf(type: string): string {
  const [noun = '', verb = ''] = type.split('.');
  return `${nouns[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1)} ${verb}`;
}

function titleFor<T extends EventType>(type: T, data: Partial<EventData<T>>): string | undefined {
  const { title }: Titles[T] = catalog[type];
  return typeof title === 'function' ? title(data) : title;
}
