import type { StoredEvent } from '../../events/envelope.ts';
import { clip } from '../../lib/text/clip.ts';
import { visible } from '../../lib/text/visible.ts';
import { readableAnswer } from '../requests/readable-answer.ts';
import { requestTitle } from '../requests/request-title.ts';
import type { Asked } from '../sprints/task-about.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';
import { TEXT_LENGTH } from './event-line.ts';

/**
 * An event for people: what agents say in Markdown reads without its marks, and a call that is asked about is named as in lists.
 *
 * @param sprint - What was asked in its sprint: of an answer it says which words are those of the agent.
 */
export function readableEvent(event: StoredEvent, sprint: Asked | undefined): StoredEvent {
  switch (event.type) {
    case 'help.requested': {
      const { kind, approval, question } = event.data;
      if (approval !== undefined)
        return { ...event, data: { ...event.data, question: requestTitle(event.data) } };
      // What a program prints is no Markdown: each of its characters counts.
      const isSaid = kind !== 'prompt' && kind !== 'approval';
      return isSaid ? { ...event, data: { ...event.data, question: said(question) } } : event;
    }
    case 'help.answered': {
      const asked = sprint?.requests.get(event.data.requestId)?.asked;
      return asked
        ? { ...event, data: { ...event.data, response: readableAnswer(asked, event.data) } }
        : event;
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
