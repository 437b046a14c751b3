import type { StoredEvent } from '../events/envelope.ts';
import type { EventType } from '../events/catalog.ts';
import type { RequestEvent } from './request.machine.ts';
import type { SprintEvent } from './sprint.machine.ts';
import type { TaskEvent } from './task.machine.ts';

type SprintWideType = 'sprint.started' | 'sprint.cancelled';
type OpinionType =
  | 'task.started'
  | 'task.blocked'
  | 'task.completed'
  | 'task.failed'
  | 'task.retried'
  | 'task.cancelled';
type MovingType = Exclude<SprintEvent['type'], 'tasks.counted' | OpinionType>;
type TaskType = Exclude<TaskEvent['type'], SprintWideType>;
type EndingType = Exclude<RequestEvent['type'], `help.${string}`>;

/** Events that reach the machine of the task in their subject. */
const taskTypes = typeSet<TaskType>({
  'task.started': true,
  'task.blocked': true,
  'task.completed': true,
  'task.failed': true,
  'task.retried': true,
  'task.skipped': true,
  'task.cancelled': true,
  'task.reset': true,
  'agent.connected': true,
  'agent.exited': true,
  'agent.lost': true,
  'help.requested': true,
  'help.answered': true,
  'help.dismissed': true,
});

/** Events that reach the machine of every task. */
const sprintWideTypes = typeSet<SprintWideType>({ 'sprint.started': true, 'sprint.cancelled': true });

/** Events that may move the sprint. It only has a say in the other `task.*` ones. */
const movingTypes = typeSet<MovingType>({
  'sprint.created': true,
  'sprint.amended': true,
  'sprint.started': true,
  'sprint.paused': true,
  'sprint.resumed': true,
  'sprint.completed': true,
  'sprint.failed': true,
  'sprint.cancelled': true,
  'task.skipped': true,
  'task.reset': true,
});

/** Events the sprint allows or refuses and that never move it. */
const opinionTypes = typeSet<OpinionType>({
  'task.started': true,
  'task.blocked': true,
  'task.completed': true,
  'task.failed': true,
  'task.retried': true,
  'task.cancelled': true,
});

/** Events that end the open requests of a task, or of the whole sprint. */
const endingTypes = typeSet<EndingType>({
  'task.completed': true,
  'task.skipped': true,
  'task.cancelled': true,
  'sprint.completed': true,
  'sprint.cancelled': true,
});

/** Does the task's machine know it? */
export function isTaskEvent<E extends { type: EventType }>(event: E): event is E & { type: TaskType } {
  return taskTypes.has(event.type);
}

/** Does it concern every task of the sprint? */
export function isSprintWide(event: StoredEvent): event is StoredEvent<SprintWideType> {
  return sprintWideTypes.has(event.type);
}

/** May it move the sprint's machine? */
export function movesSprint(event: StoredEvent): event is StoredEvent<MovingType> {
  return movingTypes.has(event.type);
}

/** Does the sprint's machine have a say in it? */
export function concernsSprint<E extends { type: EventType }>(
  event: E,
): event is E & { type: MovingType | OpinionType } {
  return movingTypes.has(event.type) || opinionTypes.has(event.type);
}

/** Does it end requests that are still open? */
export function endsRequests(event: StoredEvent): event is StoredEvent<EndingType> {
  return endingTypes.has(event.type);
}

/** A set of event types that the compiler holds complete. */
function typeSet<T extends EventType>(types: Record<T, true>): ReadonlySet<string> {
  return new Set(Object.keys(types));
}
