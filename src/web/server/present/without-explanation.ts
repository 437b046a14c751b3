import type { StoredEvent } from '../../../events/envelope.ts';
import { isJsonObject } from '../../../lib/json/json-object.ts';
import { keysInOrder } from '../../../lib/json/json-value.ts';
import type { Asked } from '../../../views/sprints/task-about.ts';
import { EXPLANATION_ARGUMENT } from '../../../workflow/requests/explain-first.ts';

/**
 * A call that is made again after a human asked about it, without what its agent says of it, which its tool does not get. Of any
 * other call that is an argument like all others.
 */
export function withoutExplanation(event: StoredEvent, sprint: Asked | undefined): StoredEvent {
  if (event.type !== 'tool.requested') return event;
  const { server, tool, args } = event.data;
  if (!isJsonObject(args) || typeof args[EXPLANATION_ARGUMENT] !== 'string') return event;
  const { [EXPLANATION_ARGUMENT]: _, ...others } = args;
  const made = textOf({ server, tool, args: others });
  const isAsked = [...(sprint?.requests.values() ?? [])].some(
    ({ asked: { approval }, answer }) =>
      answer?.verdict === 'questioned' && approval !== undefined && textOf(approval) === made,
  );
  return isAsked ? { ...event, data: { ...event.data, args: others } } : event;
}

function textOf({ server, tool, args }: { server: string; tool: string; args: unknown }): string {
  return JSON.stringify([server, tool, args], keysInOrder);
}
