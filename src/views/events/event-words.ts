import type { StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { eventText } from './event-text.ts';
import { eventTitle } from './event-title.ts';
import { taskAbout, type Asked } from '../sprints/task-about.ts';

/**
 * Whether an event has all of these words in it: in its type, what that is called, its task, what it says, or how it stands out (`failure`,
 * `question`, …). Upper and lower case are the same. Without any word: no event has.
 */
export function hasWords(words: string, sprint: Asked | undefined): (event: StoredEvent) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (event) => {
    if (wanted.length === 0) return false;
    const { type } = event;
    const mark = markOf(event);
    const parts = [type, eventTitle(event), taskAbout(event, sprint), mark, eventText(event, sprint)];
    const said = parts.join(' ').toLowerCase();
    return wanted.every((word) => said.includes(word));
  };
}
