import type { StoredEvent } from '../../../events/envelope.ts';
import { isJsonObject } from '../../../lib/json/json-object.ts';
import { callStep } from '../../../views/calls/call-step.ts';
import { eventLine } from '../../../views/events/event-line.ts';
import { eventTitle } from '../../../views/events/event-title.ts';
import { readableEvent } from '../../../views/events/readable-event.ts';
import type { Asked } from '../../../views/sprints/task-about.ts';
import { OWN_SERVER } from '../../../workflow/project/own-tools.ts';
import type { EventLine } from '../../api/history.ts';
import { withoutExplanation } from './without-explanation.ts';

/** An event in a line, a call that is asked about as it stands in lists, and what an agent says as it reads. */
export function presentEvent(event: StoredEvent, sprint: Asked | undefined): EventLine {
  const call = callStep(event, sprint);
  return {
    ...eventLine(withoutSprint(readableEvent(withoutExplanation(event, sprint), sprint)), sprint, {
      isWhole: true,
    }),
    title: eventTitle(event),
    ...(call && { call }),
  };
}

/** Its sprint is the one that is looked at: calls of Clifford's own tools do not name it again. */
function withoutSprint(event: StoredEvent): StoredEvent {
  if (event.type !== 'tool.requested') return event;
  const { server, args } = event.data;
  if (server !== OWN_SERVER || !isJsonObject(args)) return event;
  const { sprintDir: _, ...others } = args;
  return { ...event, data: { ...event.data, args: others } };
}
