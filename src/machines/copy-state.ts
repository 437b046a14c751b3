import { askedCallsOf } from './asked-calls.ts';
import { sprintKind, taskKind } from './kinds.ts';
import {
  createProjectState,
  type ProjectState,
  type RequestState,
  type SprintState,
} from './project-state.ts';
import type { TaskState } from './task-state.ts';

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

/** So many items of a list stand together: where none of them has changed, two lists share them all. */
const BLOCK = 64;

/** A list in parts, of which others may have some, too. */
type Blocks<T> = readonly (readonly T[])[];

/** The state of one stream, put aside. Only to be copied, by {@link copyKept}: others share parts of it. */
export type KeptState = {
  readonly project: Omit<ProjectState, 'streams'>;
  /** Without what the two lists have, or what follows from them. */
  readonly sprint: SprintState;
  readonly tasks: Blocks<TaskState>;
  readonly requests: Blocks<RequestState>;
};

/**
 * Puts aside how a stream stands now. Of its tasks and requests those are shared that are as they were in `earlier`, so
 * that it takes as much memory as has changed since.
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
    tasks: shared(sprint.tasks.values(), earlier?.tasks, { copy: copyTask, isSame: isSameTask }),
    requests: shared(sprint.requests.values(), earlier?.requests, {
      copy: copyRequest,
      isSame: isSameRequest,
    }),
  };
}

/** How many items of the two lists were put aside with it alone, by whole blocks. */
export function ownItems(kept: KeptState, earlier?: KeptState): number {
  return ownIn(kept.tasks, earlier?.tasks) + ownIn(kept.requests, earlier?.requests);
}

/** The state that was put aside, to fold on. */
export function copyKept({ project, sprint, tasks, requests: blocks }: KeptState): ProjectState {
  const requests = new Map<string, RequestState>();
  for (const block of blocks) for (const request of block) requests.set(request.id, copyRequest(request));
  const copy = createProjectState(project);
  copy.streams.set(sprint.id, {
    ...copySprint(sprint),
    tasks: new Map(tasks.flat().map((task) => [task.id, copyTask(task)])),
    requests,
    askedCalls: askedCallsOf(requests),
  });
  return copy;
}

/** Both come in the order in which they were added; none is ever taken away. */
function shared<T extends object>(
  items: Iterable<T>,
  earlier: Blocks<T> = [],
  { copy, isSame }: { readonly copy: (item: T) => T; readonly isSame: (now: T, before: T) => boolean },
): Blocks<T> {
  const blocks: (readonly T[])[] = [];
  let before = earlier[0];
  let block: T[] = [];
  let isAsBefore = true;
  const close = () => {
    blocks.push(before && isAsBefore ? before : block);
    before = earlier[blocks.length];
    block = [];
    isAsBefore = true;
  };
  for (const item of items) {
    const known = before?.[block.length];
    const same = known && isSame(item, known) ? known : undefined;
    isAsBefore &&= same !== undefined;
    block.push(same ?? copy(item));
    if (block.length === BLOCK) close();
  }
  if (block.length > 0) close();
  return blocks;
}

function ownIn<T>(blocks: Blocks<T>, earlier: Blocks<T> = []): number {
  return blocks.reduce((sum, block, n) => (block === earlier[n] ? sum : sum + block.length), blocks.length);
}

/** Whether nothing of it was replaced. Asked of ten thousand requests at once: each part by its name is a tenth of a loop over all. */
function isSameRequest(now: RequestState, before: RequestState): boolean {
  return (
    now.phase === before.phase &&
    now.answer === before.answer &&
    now.dismissal === before.dismissal &&
    now.usedBy === before.usedBy &&
    now.hasLapsed === before.hasLapsed &&
    now.deliveredTo === before.deliveredTo &&
    now.waiting === before.waiting &&
    now.detached === before.detached
  );
}

/** Whether it has the parts that it had, of which none is ever taken away. */
function isSameTask(now: TaskState, before: TaskState): boolean {
  for (const key in now) if (!isSamePart(part(now, key), part(before, key))) return false;
  return true;
}

function part(whole: object, key: string): unknown {
  return (whole as Record<string, unknown>)[key];
}

function isSamePart(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return isMachine(a) && isMachine(b) && a.value === b.value && a.context === b.context;
}

function isMachine(value: unknown): value is TaskState['machine'] {
  return value instanceof Object && 'toJSON' in value;
}
