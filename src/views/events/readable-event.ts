import type { StoredEvent } from '../../events/envelope.ts';
import { clip } from '../../lib/text/clip.ts';
import { visible } from '../../lib/text/visible.ts';
import { requestTitle } from '../requests/request-title.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';
import { TEXT_LENGTH } from './event-line.ts';

/** An event for people: what agents say in Markdown reads without its marks, and a call that is asked about is named as in lists. */
export function readableEvent(event: StoredEvent): StoredEvent {
  switch (event.type) {
    case 'help.requested': {
      const { kind, approval, question } = event.data;
      if (approval !== undefined)
        return { ...event, data: { ...event.data, question: requestTitle(event.data) } };
      // What a program prints is no Markdown: each of its characters counts.
      const isSaid = kind !== 'prompt' && kind !== 'approval';
      return isSaid ? { ...event, data: { ...event.data, question: said(question) } } : event;
    }
    case 'help.delivered': {
      const { to } = event.data;
      // What an agent is called that has no other name says nothing to whoever reads.
      return to.startsWith('run-') ? { ...event, data: { ...event.data, to: 'the agent' } } : event;
    }
    case 'task.blocked':
      return { ...event, data: { ...event.data, reason: said(event.data.reason) } };
    case 'task.noted':
      return { ...event, data: { ...event.data, text: said(event.data.text) } };
    case 'task.completed': {
      const { summary } = event.data;
      return { ...event, data: { ...event.data, ...(summary !== undefined && { summary: said(summary) }) } };
    }
    default:
      return event;
  }
}

function said(markdown: string): string {
  return plainMarkdown(visible(clip(markdown.trim(), TEXT_LENGTH)));
}
