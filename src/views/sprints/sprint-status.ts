import {
  describeSprint,
  describeTask,
  withWaits,
  type SprintView,
  type TaskView,
} from './describe-sprint.ts';
import {
  createSprintState,
  type LeftQueue,
  type ProjectState,
  type SprintState,
} from '../../machines/project-state.ts';
import { createTaskState } from '../../machines/task-state.ts';
import type { Unfit } from '../../machines/unfit.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { isDoneStatus } from '../../machines/manifest-words.ts';
import { isAgentGone, isAwaited, type IsAlive } from './gone-agent.ts';
import { sprintWord, taskWord } from './standing.ts';
import type { ManifestTask } from '../../workflow/sprint/manifest.ts';

/** A task as `clifford status` shows it. */
export type TaskStatus = TaskView & {
  /** The one word that people read: `idle` where it is under way and nobody is at work on it. */
  readonly word: string;
  /** The log says that an agent works on it, and there is no such process on this machine. */
  readonly isAgentGone: boolean;
};

/** A sprint as `clifford status` shows it: from the log, and its folder for what the log has not seen. */
export type SprintStatus = Omit<SprintView, 'tasks'> & {
  readonly tasks: readonly TaskStatus[];
  /** The one word that people read: `idle` where it is under way and nobody runs it. */
  readonly word: string;
  readonly inLog: boolean;
  /** A runner on this machine, or a worker, is at work on it. */
  readonly hasRunner: boolean;
  /** How the runner is called that has it on another machine, or in another folder: by the log, also one that is lost. */
  readonly runElsewhere?: string;
  /** How it left the queue before its run was over, unless it is in it again. */
  readonly leftQueue?: LeftQueue;
  /** Where it could not be begun, while it waits in the queue. */
  readonly unfit?: Unfit;
};

/** What no log can say: which processes are there now. A view of recorded events alone says that none is. */
export type Processes = {
  /** Whether a runner is at work on a sprint. */
  readonly hasRunner: (stream: string) => boolean;
  /** The name of one that has it on another machine, or in another folder. Default: none has. */
  readonly runElsewhere?: (stream: string) => string | undefined;
  /** Whether that very process still lives. */
  readonly isAlive: IsAlive;
};

/** What is known of a sprint, and of the processes that work on it. */
export function statusOf(
  known: KnownSprint,
  state: ProjectState,
  { hasRunner, runElsewhere, isAlive }: Processes,
): SprintStatus {
  const view = describeKnown(known, state);
  const isRun = hasRunner(known.id);
  const elsewhere = runElsewhere?.(known.id);
  const sprint = state.streams.get(known.id);
  const tasks = view.tasks.map((task) => {
    const isGone = sprint !== undefined && isAgentGone(sprint, task.id, isAlive);
    return { ...task, word: taskWord(task, isRun), isAgentGone: isGone };
  });
  const open = view.open.map((request) => {
    const known = sprint?.requests.get(request.id);
    return known ? { ...request, isAwaited: isAwaited(sprint, known, isAlive) } : request;
  });
  return {
    ...view,
    tasks,
    open,
    word: sprintWord(view, isRun),
    hasRunner: isRun,
    ...(elsewhere !== undefined && { runElsewhere: elsewhere }),
    ...leftQueueOf(sprint),
    ...unfitOf(sprint),
  };
}

function leftQueueOf(sprint: SprintState | undefined): Pick<SprintStatus, 'leftQueue'> {
  return sprint?.leftQueue ? { leftQueue: sprint.leftQueue } : {};
}

function unfitOf(sprint: SprintState | undefined): Pick<SprintStatus, 'unfit'> {
  return sprint?.unfit && sprint.queuedAt !== undefined ? { unfit: sprint.unfit } : {};
}

/** What is known of a sprint. Tasks of the manifest that are not in the log yet are pending, or done there. */
export function describeKnown(
  { id, folder }: KnownSprint,
  { streams, limits }: ProjectState,
): SprintView & { readonly inLog: boolean } {
  const sprint = streams.get(id);
  const added = folder?.manifest.tasks.filter((task) => !sprint?.tasks.has(task.id)).map(notSeen) ?? [];
  const inLog = sprint !== undefined && (sprint.manifest !== undefined || !folder);
  const view = describeSprint(inLog ? sprint : createSprintState(id), limits);
  if (inLog) return { ...view, tasks: withWaits([...view.tasks, ...added]), inLog };
  const { name = id, status = 'pending' } = folder?.manifest ?? {};
  return { ...view, name, state: isDoneStatus(status) ? 'done' : 'pending', tasks: withWaits(added), inLog };
}

function notSeen({ id, file, dependsOn, status }: ManifestTask): TaskView {
  const view = describeTask(createTaskState({ id, file, dependsOn }));
  return isDoneStatus(status) ? { ...view, state: 'done', detail: 'completed' } : view;
}
