import type { StoredEvent } from '../../events/envelope.ts';
import { maskSecrets } from '../calls/masked.ts';
import { shownAnswer, shownWords } from '../calls/shown-words.ts';
import type { Asked } from '../sprints/task-about.ts';

/** What a human says is in the log as they said it: it has to arrive. Where it is shown it has not. */
export function withoutSecrets(event: StoredEvent, asked: Asked | undefined): StoredEvent {
  if (event.type === 'help.answered') {
    const { data } = event;
    const { requestId, edited } = data;
    const response = shownAnswer(asked?.requests.get(requestId)?.asked, data);
    const args = edited && maskSecrets(edited.args);
    const changed = edited && args !== undefined ? { edited: { ...edited, args } } : {};
    return { ...event, data: { ...data, response, ...changed } };
  }
  if (event.type === 'note.sent')
    return { ...event, data: { ...event.data, text: shownWords(event.data.text) } };
  return event;
}
