import type { StoredEvent } from '../../../events/envelope.ts';
import { isJsonObject } from '../../../lib/json/json-object.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visible } from '../../../lib/text/visible.ts';
import { callStep } from '../../../views/calls/call-step.ts';
import { eventLine, TEXT_LENGTH } from '../../../views/events/event-line.ts';
import { eventTitle } from '../../../views/events/event-title.ts';
import type { Asked } from '../../../views/sprints/task-about.ts';
import { plainMarkdown } from '../../../views/text/plain-markdown.ts';
import { OWN_SERVER } from '../../../workflow/project/own-tools.ts';
import type { EventLine } from '../../api/history.ts';
import { shownQuestion } from './present-question.ts';

/** An event in a line, a call that is asked about as it stands in lists, and what an agent says as it reads. */
export function presentEvent(event: StoredEvent, sprint: Asked | undefined): EventLine {
  const call = callStep(event);
  return {
    ...eventLine(readable(event), sprint, { isWhole: true }),
    title: eventTitle(event),
    ...(call && { call }),
  };
}

function readable(event: StoredEvent): StoredEvent {
  switch (event.type) {
    case 'help.requested': {
      const { kind, approval } = event.data;
      const question = shownQuestion(event.data);
      // What a program prints is no markdown: each of its characters counts.
      const isSaid = kind !== 'prompt' && kind !== 'approval' && approval === undefined;
      return { ...event, data: { ...event.data, question: isSaid ? said(question) : question } };
    }
    case 'tool.requested': {
      const { server, args } = event.data;
      if (server !== OWN_SERVER || !isJsonObject(args)) return event;
      // Its sprint is the one that is looked at.
      const { sprintDir: _, ...others } = args;
      return { ...event, data: { ...event.data, args: others } };
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
