import { eventCatalog, type EventData, type EventType } from '../../events/catalog.ts';
import type { Says } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { clipMiddle } from '../../lib/text/clip.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { callTitle } from '../calls/call-title.ts';
import { maskSecrets } from '../calls/masked.ts';
import { shownAnswer, shownWords } from '../calls/shown-words.ts';
import type { Asked } from '../sprints/task-about.ts';

type Texts = { readonly [T in EventType]: { readonly text: (data: EventData<T>, says: Says) => string } };

const texts: Texts = eventCatalog;

/** So much of what a call does stands in the line of an event, in UTF-16 units: its arguments may be whole files. */
const CALL_LENGTH = 160;

const says: Says = {
  call: (call) => clipMiddle(escapeAgentLine(callTitle(call, { counts: false })), CALL_LENGTH),
};

/**
 * What an event says beyond its type, on one line, safe to print.
 *
 * @param asked - What was asked in its sprint: what an answer shows depends on it.
 */
export function eventText(event: StoredEvent, asked: Asked | undefined): string {
  const { type, data } = withoutSecrets(event, asked);
  return visibleLine(textOf(type, data));
}

/** What a human says is in the log as they said it: it has to arrive. Where it is shown it has not. */
export function withoutSecrets(event: StoredEvent, asked: Asked | undefined): StoredEvent {
  if (event.type === 'help.answered') {
    const { data } = event;
    const { requestId, edited } = data;
    const response = shownAnswer(asked?.requests.get(requestId)?.asked, data);
    const args = edited && (maskSecrets(edited.args) as typeof edited.args);
    const changed = edited && args !== undefined ? { edited: { ...edited, args } } : {};
    return { ...event, data: { ...data, response, ...changed } };
  }
  if (event.type === 'note.sent')
    return { ...event, data: { ...event.data, text: shownWords(event.data.text) } };
  return event;
}

function textOf<T extends EventType>(type: T, data: EventData<T>): string {
  const { text }: Texts[T] = texts[type];
  return text(data, says);
}
