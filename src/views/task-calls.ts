import { isAll } from '../workflow/history/recent-events.ts';
import { OWN_SERVER, ownTool } from '../workflow/project/own-tools.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { SprintState } from '../machines/project-state.ts';
import { toolCalls, type ToolCallView } from './tool-calls.ts';

/**
 * How a call stands, in the word that people read: `waits` for the yes of a human, `asks` for their words, `unasked`: it ran though
 * nobody was asked.
 */
export const callStandings = [
  'runs',
  'waits',
  'asks',
  'done',
  'failed',
  'denied',
  'late',
  'unasked',
] as const;
/** See {@link callStandings}. */
export type CallStanding = (typeof callStandings)[number];

/** A call of a task, and how it stands. */
export type TaskCall = ToolCallView & { readonly standing: CallStanding };

/**
 * The calls of a task that these events tell of, in the order they were made.
 *
 * @param sprint - As it was after the last of them. `undefined`: nobody is asked about any.
 */
export function taskCalls(
  events: readonly StoredEvent[],
  task: string,
  sprint: Pick<SprintState, 'requests'> | undefined,
): readonly TaskCall[] {
  const isAsked = askedAbout(sprint);
  const own = toolCalls(events).filter((call) => call.task === task);
  return own.map((call) => ({ ...call, standing: standingOf(call, isAsked(call)) }));
}

/** What stands where these events tell of no call. */
export function noCallsText(events: readonly StoredEvent[]): string {
  return isAll(events)
    ? 'No tool has been called yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

function standingOf(call: ToolCallView, isAsked: boolean): CallStanding {
  if (call.is === 'allowed') return 'runs';
  if (call.is !== 'open') return call.is;
  // It waits for the words of a human, not for a yes: nothing of it is pending.
  if (isQuestion(call)) return 'asks';
  return isAsked ? 'waits' : 'runs';
}

const questionTools: readonly string[] = [ownTool.requestHelp, ownTool.askClarification];

function isQuestion(call: ToolCallView): boolean {
  return isOurs(call) && questionTools.includes(call.tool);
}

/** Whether it is one of Clifford's own tools. */
export function isOurs({ agent, server }: Pick<ToolCallView, 'agent' | 'server'>): boolean {
  return agent === undefined && server === OWN_SERVER;
}

/** Whether a call waits for the yes of a human: to it, or to one like it. */
function askedAbout(sprint: Pick<SprintState, 'requests'> | undefined): (call: ToolCallView) => boolean {
  const ids = new Set<string>();
  const alike = new Set<string>();
  for (const { phase, asked } of sprint?.requests.values() ?? []) {
    if (phase !== 'open' || !asked.approval) continue;
    ids.add(asked.approval.callId);
    alike.add(textOf(asked.approval));
  }
  return (call) => call.is === 'open' && alike.size > 0 && (ids.has(call.callId) || alike.has(textOf(call)));
}

function textOf({ server, tool, args }: Pick<ToolCallView, 'server' | 'tool' | 'args'>): string {
  return JSON.stringify([server, tool, args]);
}
