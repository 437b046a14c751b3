import { getNextTransitions } from 'xstate';
import { descriptorOf, isEventType, type EventType } from '../events/catalog.ts';
import { streamOf, taskOf } from '../events/envelope.ts';
import type { Fact } from './fact.ts';
import { mergeOf, stuckOf } from './fold-worktree.ts';
import { sprintKind, stepRequest, taskKind, type RequestPhase } from './kinds.ts';
import {
  createSprintState,
  type ProjectState,
  type RequestState,
  type SprintState,
} from './project-state.ts';
import type { TaskState } from './task-state.ts';
import type { Reaching } from './reaching.ts';
import { concernsSprint, goesToRequest, isTaskEvent, opensRequest, requestTypes } from './routes.ts';
import { nameOf, wordOf } from './status-words.ts';

/** An event that may be appended, with the subject it would have. */
export type Candidate<T extends EventType = EventType> = Fact<T> & { readonly subject: string };

/** What the machines say of a candidate. */
export type Legality =
  | { readonly legal: true }
  | {
      readonly legal: false;
      /** What refused: `task plan`, `sprint demo`, `request q-1`. */
      readonly who: string;
      /** The state it is in: `done.completed`. */
      readonly state: string;
      /** Decisions that would be legal there. */
      readonly possible: readonly EventType[];
      /** It is done, and its changes are not merged. `question`: the open one what becomes of them. */
      readonly unmerged?: { readonly question?: RequestState | undefined };
    };

const legal: Legality = { legal: true };

/**
 * An observation is recorded whatever the state; everything else is a decision and can be refused.
 *
 * @internal for tests
 */
export function isObservation(type: EventType): boolean {
  return descriptorOf(type).kind === 'observation';
}

/** Asks every machine the event concerns. Changes nothing. */
export function checkLegality(project: ProjectState, event: Candidate): Legality {
  if (isObservation(event.type)) return legal;
  const stream = streamOf(event.subject);
  const sprint = project.streams.get(stream) ?? createSprintState(stream);
  if (goesToRequest(event)) return requestLegality(sprint.requests.get(event.data.requestId), event);
  if (opensRequest(event)) {
    const known = sprint.requests.get(event.data.requestId);
    if (known) return { legal: false, who: `request ${known.id}`, state: known.phase, possible: [] };
  }
  const taskId = taskOf(event.subject);
  if (taskId === undefined && event.type.startsWith('task.')) return refuseTask(stream, undefined);
  const verdict = taskId === undefined ? legal : taskLegality(sprint, taskId, event);
  if (!verdict.legal) return verdict;
  return sprintLegality(sprint, event);
}

function requestLegality(
  request: RequestState | undefined,
  event: Fact<Reaching<'request', 'own'>> & { readonly subject: string },
): Legality {
  const who = `request ${event.data.requestId}`;
  // Under the name of another task it would end the request, and leave its own task blocked for ever.
  if (!request || request.taskId !== taskOf(event.subject))
    return { legal: false, who, state: 'unknown', possible: [] };
  const fits = event.type !== 'help.answered' || isVerdict(event) === (request.asked.approval !== undefined);
  if (fits && stepRequest(request.phase, event) !== undefined) return legal;
  return { legal: false, who, state: request.phase, possible: requestDecisions(request.phase) };
}

/** To a tool call a human says yes or no, to a question anything but that. */
function isVerdict({ data: { verdict } }: Fact<'help.answered'>): boolean {
  return verdict !== undefined;
}

function requestDecisions(phase: RequestPhase): EventType[] {
  return phase === 'open' ? requestTypes.filter((type) => !isObservation(type)) : [];
}

function taskLegality(sprint: SprintState, taskId: string, event: Candidate): Legality {
  const task = sprint.tasks.get(taskId);
  if (!task) return refuseTask(sprint.id, taskId);
  if (!isTaskEvent(event) || (task.machine.can(event) && mayReopen(task, event.type))) return legal;
  const takes = sprintTakes(sprint);
  const own = decisions('task', getNextTransitions(taskKind.restore(task.machine.toJSON()))).filter(
    (type) => mayReopen(task, type) && (wordOf(sprint.machine.value) !== 'done' || takes.has(type)),
  );
  // A task that is over for good is followed by another one, where its sprint takes one.
  const next: EventType[] = takes.has('sprint.amended') ? ['sprint.amended'] : [];
  const unmerged = mergeOf(task) && { question: openMergeQuestion(sprint, task) };
  return {
    legal: false,
    who: `task ${taskId}`,
    state: nameOf(task.machine.value),
    possible: own.length > 0 ? own : next,
    ...(unmerged && { unmerged }),
  };
}

function openMergeQuestion({ requests }: SprintState, task: TaskState): RequestState | undefined {
  const stuck = stuckOf(task);
  const request = stuck && requests.get(stuck.requestId);
  return request?.phase === 'open' ? request : undefined;
}

/** A completed task goes on only as long as its changes are not merged, or when they are gone. */
function mayReopen(task: TaskState, type: EventType): boolean {
  return type !== 'task.reopened' || task.isLost === true || mergeOf(task) !== undefined;
}

/** The events that a sprint has a transition for as it is now. */
function sprintTakes(sprint: SprintState): ReadonlySet<string> {
  const transitions = getNextTransitions(sprintKind.restore(sprint.machine.toJSON()));
  return new Set(transitions.map(({ eventType }) => eventType));
}

function refuseTask(stream: string, taskId: string | undefined): Legality {
  const who = taskId === undefined ? `sprint ${stream} as a task` : `task ${taskId}`;
  return { legal: false, who, state: 'unknown', possible: [] };
}

function sprintLegality(sprint: SprintState, event: Candidate): Legality {
  if (!concernsSprint(event) || sprint.machine.can(event)) return legal;
  return {
    legal: false,
    who: `sprint ${sprint.id}`,
    state: nameOf(sprint.machine.value),
    possible: decisions('sprint', getNextTransitions(sprintKind.restore(sprint.machine.toJSON()))).filter(
      (type) => type !== 'sprint.completed' || sprint.machine.context.finished,
    ),
  };
}

/** What someone can decide about the thing itself among a state's transitions, each once. */
function decisions(
  family: 'task' | 'sprint',
  transitions: readonly { eventType: string; guard?: unknown }[],
): EventType[] {
  const forAnyone = transitions.filter(({ guard }) => guard !== 'wasDoneInManifest');
  const types = new Set(forAnyone.map(({ eventType }) => eventType));
  return [...types].filter(isEventType).filter((type) => type.startsWith(`${family}.`));
}
