import type { Project } from '../../workflow/project/project.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { TaskPlans } from '../plan/task-plans.ts';
import type { RunnerMemory } from '../reconcile/runner-memory.ts';
import type { Isolation } from '../reconcile/runner-view.ts';
import type { RunnerListeners } from '../sprint/runner-events.ts';
import { Job, type JobParts, type Work } from './job.ts';
import type { Sharing } from './sharing.ts';

/** What jobs need. */
export type JobDeps = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly memory: RunnerMemory;
  readonly plans: Pick<TaskPlans, 'checksFor' | 'worktrees'>;
  /** How tasks are kept apart that nobody has begun. */
  readonly isolation: Isolation;
  /** It works on one task of a sprint that another worker has. */
  readonly isHelper?: boolean | undefined;
  /** By what tasks are left to other workers; `undefined`: none are. */
  readonly sharing?: Sharing | undefined;
  /** How the runner is named as the author of its decisions. */
  readonly by: string;
  /** Called when something happened that the log does not say yet. */
  readonly onNews: () => void;
  readonly listeners: RunnerListeners;
};

/** The variable that marks every process of a sprint's jobs: the log does not know them. */
export const JOB_VARIABLE = 'CLIFFORD_JOB';

/** The mark of a sprint's jobs. */
export function jobMark({ project, folder }: Pick<JobDeps, 'project' | 'folder'>): {
  readonly [JOB_VARIABLE]: string;
} {
  return { [JOB_VARIABLE]: `${project.root} ${folder.manifest.id}` };
}

/** Starts a job and keeps it until its end is recorded. */
export function startJob({ memory, onNews }: JobDeps, parts: Omit<JobParts, 'onNews'>, work: Work): void {
  const job = new Job({ ...parts, onNews }, work);
  memory.jobs.set(job.id, job);
}
