import { runsEdited } from '../../events/approval.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { keysInOrder } from '../../lib/json/json-value.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { decidedOtherwise } from './decided-otherwise.ts';
import { toolCalls, type ToolCallView } from './tool-calls.ts';

/**
 * How a call stands, in the word that people read: `waits` for the yes of a human, `asks` for their words, `queried`: sent back with
 * a human's question, `changed`: another one was allowed in its place, `unasked`: it ran though nobody was asked, `ended`: its agent
 * did, and nothing came of it.
 */
export const callStandings = [
  'runs',
  'waits',
  'asks',
  'done',
  'failed',
  'denied',
  'queried',
  'changed',
  'late',
  'unasked',
  'ended',
] as const;
/** See {@link callStandings}. */
export type CallStanding = (typeof callStandings)[number];

/** A call of a task, and how it stands. */
export type TaskCall = ToolCallView & {
  readonly standing: CallStanding;
  /** What it runs with, where a human has changed it: not `args`, which its agent made it with. */
  readonly ranWith?: ToolCallView['args'] | undefined;
};

/** What has to be known beside the events that tell of calls. */
type CallsContext = {
  readonly task: string;
  /** As it was after the last of them. `undefined`: nobody is asked about any. */
  readonly sprint: Pick<SprintState, 'requests' | 'tasks'> | undefined;
  /** The log says that an agent works on the task, and there is no such process. */
  readonly isAgentGone: boolean;
  /** Whether a tool asks a human for words. */
  readonly asksForWords: (call: Pick<ToolCallView, 'server' | 'tool'>) => boolean;
};

/** The calls of a task that these events tell of, in the order they were made. */
export function taskCalls(
  events: readonly StoredEvent[],
  { task, sprint, isAgentGone, asksForWords }: CallsContext,
): readonly TaskCall[] {
  const isAsked = askedAbout(sprint);
  const ended = endedRuns(events);
  // A runner that was killed with its agent has not said that it ended.
  const gone = isAgentGone ? sprint?.tasks.get(task)?.agent?.runId : undefined;
  const standingOf = (call: ToolCallView): CallStanding => {
    if (call.is === 'denied') return decidedOtherwise(sprint, call.request) ?? call.is;
    if (call.is !== 'open' && call.is !== 'allowed') return call.is;
    const hasEnded = call.run !== undefined && (call.run === gone || ended.has(call.run));
    // It waits for the words of a human, not for a yes: nothing of it is pending. The question may outlive who asked.
    if (call.is === 'open' && asksForWords(call) && (!hasEnded || isQuestionOpen(sprint, call)))
      return 'asks';
    if (isAsked(call)) return 'waits';
    return hasEnded ? 'ended' : 'runs';
  };
  const own = toolCalls(events).filter((call) => call.task === task);
  return own.map((call) => ({ ...call, standing: standingOf(call), ranWith: ranWith(sprint, call) }));
}

/**
 * What stands where there is no call.
 *
 * @param isAll - All events were looked at, and not only the newest.
 */
export function noCallsText(isAll: boolean): string {
  return isAll
    ? 'No tool has been called yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

/** The runs whose agents have ended. */
function endedRuns(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.type === 'agent.exited' || event.type === 'agent.lost' ? [event.data.runId] : [],
    ),
  );
}

/** Whether a question of the agent that made a call is still open. */
function isQuestionOpen(sprint: Pick<SprintState, 'requests'> | undefined, { run }: ToolCallView): boolean {
  const requests = [...(sprint?.requests.values() ?? [])];
  return requests.some(
    ({ phase, asked }) => phase === 'open' && !asked.approval && asked.origin.agent === run,
  );
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

/** What a call ran with as a human has changed it, in the request that they allowed it by. */
function ranWith(
  sprint: Pick<SprintState, 'requests'> | undefined,
  { is, request, args }: ToolCallView,
): TaskCall['ranWith'] {
  const decided = request === undefined ? undefined : sprint?.requests.get(request);
  const approval = decided?.asked.approval;
  if (!approval || !runsEdited(approval) || is === 'denied' || is === 'late') return undefined;
  const edited = decided.answer?.edited?.args;
  // An agent may have made the changed call itself.
  return JSON.stringify(edited, keysInOrder) === JSON.stringify(args, keysInOrder) ? undefined : edited;
}

function textOf({ server, tool, args }: Pick<ToolCallView, 'server' | 'tool' | 'args'>): string {
  return JSON.stringify([server, tool, args]);
}
