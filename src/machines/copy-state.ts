import { askedCallsOf } from './asked-calls.ts';
import { sprintKind, taskKind } from './kinds.ts';
import {
  createProjectState,
  type ProjectState,
  type RequestState,
  type SprintState,
  type TaskState,
} from './project-state.ts';

/** A copy to fold on: neither notices what becomes of the other. What the fold only replaces is shared. */
export function copyState(state: ProjectState): ProjectState {
  const copy = createProjectState(state);
  for (const sprint of state.streams.loaded()) copy.streams.set(sprint.id, copySprint(sprint));
  return copy;
}

function copySprint(sprint: SprintState): SprintState {
  return {
    ...sprint,
    machine: sprintKind.revive(sprint.machine.toJSON()),
    tally: { ...sprint.tally },
    tasks: new Map(sprint.tasks.values().map((task) => [task.id, copyTask(task)])),
    requests: new Map(sprint.requests.values().map((request) => [request.id, copyRequest(request)])),
    askedCalls: new Map(sprint.askedCalls),
  };
}

function copyTask(task: TaskState): TaskState {
  return { ...task, machine: taskKind.revive(task.machine.toJSON()) };
}

function copyRequest(request: RequestState): RequestState {
  return { ...request };
}

/** The state of one stream, put aside. Only to be copied, by {@link copyKept}: others share parts of it. */
export type KeptState = {
  readonly project: Omit<ProjectState, 'streams'>;
  /** Without what the two lists have, or what follows from them. */
  readonly sprint: SprintState;
  readonly tasks: readonly TaskState[];
  readonly requests: readonly RequestState[];
};

/**
 * Puts aside how a stream stands now. Of its tasks and requests those are shared that are as they were in `earlier`, so
 * that it costs as much as has changed since.
 */
export function keepState(state: ProjectState, stream: string, earlier?: KeptState): KeptState | undefined {
  const sprint = state.streams.get(stream);
  if (!sprint) return undefined;
  const { spending, limits, policyRules, pins } = state;
  const { machine, tally } = sprint;
  return {
    project: { spending, limits, policyRules, pins },
    sprint: {
      ...sprint,
      machine: sprintKind.revive(machine.toJSON()),
      tally: { ...tally },
      tasks: new Map(),
      requests: new Map(),
      askedCalls: new Map(),
    },
    tasks: shared(sprint.tasks.values(), earlier?.tasks, copyTask),
    requests: shared(sprint.requests.values(), earlier?.requests, copyRequest),
  };
}

/** The state that was put aside, to fold on. */
export function copyKept({ project, sprint, tasks, requests: all }: KeptState): ProjectState {
  const requests = new Map(all.map((request) => [request.id, copyRequest(request)]));
  const copy = createProjectState(project);
  copy.streams.set(sprint.id, {
    ...copySprint(sprint),
    tasks: new Map(tasks.map((task) => [task.id, copyTask(task)])),
    requests,
    askedCalls: askedCallsOf(requests),
  });
  return copy;
}

/** Both come in the order in which they were added; none is ever taken away. */
function shared<T extends object>(
  items: Iterable<T>,
  earlier: readonly T[] | undefined,
  copy: (item: T) => T,
): T[] {
  let at = 0;
  return Array.from(items, (item) => {
    const before = earlier?.[at];
    at += 1;
    return before && isSame(item, before) ? before : copy(item);
  });
}

/** Whether one has the parts that it had, of which none is ever taken away. Asked of thousands at once: nothing is made for it. */
function isSame(now: object, before: object): boolean {
  for (const key in now) if (!isSamePart(part(now, key), part(before, key))) return false;
  return true;
}

function part(whole: object, key: string): unknown {
  return (whole as Record<string, unknown>)[key];
}

function isSamePart(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, n) => item === b[n]);
  if (a instanceof Set) return b instanceof Set && a.size === b.size && a.isSubsetOf(b);
  return isMachine(a) && isMachine(b) && a.value === b.value && a.context === b.context;
}

function isMachine(value: unknown): value is TaskState['machine'] {
  return value instanceof Object && 'toJSON' in value;
}
