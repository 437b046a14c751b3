import type { TaskView } from '../views/sprints/describe-sprint.ts';
import { describeKnown } from '../views/sprints/sprint-status.ts';
import type { ProjectState } from '../machines/project-state.ts';
import type { KnownSprint } from '../workflow/sprint/choose-sprint.ts';

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
export function sprintRecord(known: KnownSprint, project: ProjectState): SprintRecord {
  const { id, name, state, detail, tasks, lastFailure } = describeKnown(known, project);
  return { id, name, state, detail, tasks: tasks.map(taskRecord), lastFailure };
}

function taskRecord({ id, file, state, detail, attempt, lastFailure }: TaskView): TaskRecord {
  return { id, file, state, detail, attempt, lastFailure };
}
