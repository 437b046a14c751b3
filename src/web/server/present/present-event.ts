import type { StoredEvent } from '../../../events/envelope.ts';
import { eventLine } from '../../../views/event-line.ts';
import type { EventLine } from '../../api/history.ts';
import { shownQuestion } from './present-question.ts';

/** An event in a line, a call that is asked about as it stands in lists. */
export function presentEvent(event: StoredEvent): EventLine {
  if (event.type !== 'help.requested') return eventLine(event);
  return eventLine({ ...event, data: { ...event.data, question: shownQuestion(event.data) } });
}
