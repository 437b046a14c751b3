import { describeSprint, type TaskView } from '../views/describe-sprint.ts';
import type { ProjectState } from '../machines/project-state.ts';
import type { KnownSprint } from '../workflow/sprint/choose-sprint.ts';
import { isDoneStatus } from '../workflow/sprint/manifest.ts';

/** The four words a reader sees. */
export type State = 'pending' | 'active' | 'blocked' | 'done';

/** Where a task stands. Plain data. */
export type TaskRecord = {
  readonly id: string;
  /** Its markdown file, relative to the sprint's folder. */
  readonly file: string;
  readonly state: State;
  /** What kind of it: `working`, `question`, `completed`, `failed`, `skipped`, `cancelled`, … */
  readonly detail: string | undefined;
  /** Attempts so far. */
  readonly attempt: number;
  /** Why it failed or was retried last. */
  readonly lastFailure: string | undefined;
};

/** Where a sprint stands. Plain data. */
export type SprintRecord = {
  readonly id: string;
  readonly name: string;
  readonly state: State;
  /** What kind of it: `running`, `paused`, `completed`, `failed`, `cancelled`. */
  readonly detail: string | undefined;
  readonly tasks: readonly TaskRecord[];
  /** Why it failed last. */
  readonly lastFailure: string | undefined;
};

/**
 * What is known of a sprint. Tasks of its manifest that the log has not seen are pending, or done there.
 *
 * @internal
 */
export function sprintRecord({ id, folder }: KnownSprint, { streams, limits }: ProjectState): SprintRecord {
  const sprint = streams.get(id);
  const planned = (folder?.manifest.tasks ?? []).filter((task) => !sprint?.tasks.has(task.id));
  const unseen = planned.map((task) => unseenTask(task.id, task.file, isDoneStatus(task.status)));
  if (sprint?.manifest !== undefined || (sprint && !folder)) {
    const { name, word, detail, tasks, lastFailure } = describeSprint(sprint, limits);
    return { id, name, state: word, detail, tasks: [...tasks.map(taskRecord), ...unseen], lastFailure };
  }
  return {
    id,
    name: folder?.manifest.name ?? id,
    state: isDoneStatus(folder?.manifest.status ?? 'pending') ? 'done' : 'pending',
    detail: undefined,
    tasks: unseen,
    lastFailure: undefined,
  };
}

function taskRecord({ id, file, word, detail, attempt, lastFailure }: TaskView): TaskRecord {
  return { id, file, state: word, detail, attempt, lastFailure };
}

function unseenTask(id: string, file: string, isDone: boolean): TaskRecord {
  return {
    id,
    file,
    state: isDone ? 'done' : 'pending',
    detail: isDone ? 'completed' : undefined,
    attempt: 0,
    lastFailure: undefined,
  };
}
