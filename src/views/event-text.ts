import { eventCatalog, type EventData, type EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { clipMiddle } from '../lib/text/clip.ts';
import { escapeAgentLine } from '../lib/text/sanitise.ts';
import { visibleLine } from '../lib/text/visible.ts';
import { callTitle } from './call-title.ts';

type Texts = { readonly [T in EventType]: { readonly text: (data: EventData<T>) => string } };

const texts: Texts = eventCatalog;

/** So much of what a call does stands in the line of an event, in UTF-16 units. */
const CALL_LENGTH = 160;

/** What an event says beyond its type, on one line, safe to print. Of a call that is what it does, as it is called everywhere. */
export function eventText(event: StoredEvent): string {
  return visibleLine(saidBy(event));
}

function saidBy(event: StoredEvent): string {
  if (event.type === 'tool.requested') return callText(event.data);
  if (event.type === 'help.requested' && event.data.approval) {
    const question = `Allow ${callText(event.data.approval)}?`;
    return textOf(event.type, { ...event.data, question });
  }
  return textOf(event.type, event.data);
}

/** The arguments alone are often whole files. */
function callText(call: Parameters<typeof callTitle>[0]): string {
  return clipMiddle(escapeAgentLine(callTitle(call, { counts: false })), CALL_LENGTH);
}

function textOf<T extends EventType>(type: T, data: EventData<T>): string {
  const { text }: Texts[T] = texts[type];
  return text(data);
}
