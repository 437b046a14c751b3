import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { clip } from '../../lib/text/clip.ts';
import { eventText } from './event-text.ts';
import { maskSecrets } from '../calls/masked.ts';
import { shownAnswer, shownWords } from '../calls/shown-words.ts';
import { taskAbout, type Asked } from '../sprints/task-about.ts';

/** So much of an event stands in its line, in characters. */
const TEXT_LENGTH = 2_000;

/** An event in a line, as it is sent to others than the agent whom a human's words were for. */
export function eventLine(event: StoredEvent, sprint: Asked | undefined) {
  const { subject, streamversion: version, time, type } = event;
  const task = taskAbout(event, sprint);
  const mark = markOf(event);
  return {
    sprint: streamOf(subject),
    version,
    time,
    type,
    ...(task === undefined ? {} : { task }),
    ...(mark === undefined ? {} : { mark }),
    text: clip(eventText(withoutSecrets(event, sprint)), TEXT_LENGTH),
  };
}

/** What a human says is in the log as they said it: it has to arrive. Here it has not. */
function withoutSecrets(event: StoredEvent, sprint: Asked | undefined): StoredEvent {
  if (event.type === 'help.answered') {
    const { response, edited, ...data } = event.data;
    const args = edited && (maskSecrets(edited.args) as typeof edited.args);
    return {
      ...event,
      data: {
        ...data,
        response: shownAnswer(sprint?.requests.get(data.requestId)?.asked, response),
        ...(edited && args !== undefined ? { edited: { ...edited, args } } : {}),
      },
    };
  }
  if (event.type === 'tool.requested')
    return {
      ...event,
      data: { ...event.data, args: maskSecrets(event.data.args) as typeof event.data.args },
    };
  if (event.type === 'note.sent')
    return { ...event, data: { ...event.data, text: shownWords(event.data.text) } };
  return event;
}
