import type { JobQueue } from '../../events/queue/job-queue.ts';
import type { ConfigMemory } from '../../workflow/config/config-file.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { SprintRunner } from '../sprint/sprint-runner.ts';
import type { RepositoryCommands } from './checkout.ts';
import type { WorkerListeners } from './worker-events.ts';

/** What the work on a job needs. */
export type JobDeps = {
  /** The worker's own project: the same log, in its own folder. */
  readonly home: Project;
  /** Where tasks are put that other workers may have, and where it is asked who is there. */
  readonly queue: Pick<JobQueue, 'add' | 'cancel' | 'withoutWorker'>;
  /** What this machine has. */
  readonly labels: readonly string[];
  /** How the log names this worker. */
  readonly worker: string;
  /** The project's name on the server. */
  readonly project: string;
  readonly commands: RepositoryCommands;
  /** What sprints and their agents have of the environment: the log is named in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configMemory: ConfigMemory;
  /** New commands of the files are run without anybody having looked at them. */
  readonly accepts: boolean;
  /** The command line of the agents, where whoever started the worker has chosen one. */
  readonly agentCmd: string | undefined;
  /** So many workers may be lost with a sprint in a row. */
  readonly losses: number;
  readonly listeners: WorkerListeners;
  /** Hands out the runner once there is one, to be drained or stopped, and `undefined` when it is over. */
  readonly onRunner: (runner: SprintRunner | undefined) => void;
  /** Why the worker leaves, once it does: the sprint is for another one then. */
  readonly leaving: () => string | undefined;
  /** Aborts when it leaves without waiting for what agents have under way. */
  readonly stopped: AbortSignal;
  /** Aborts when it waits for nothing at all. */
  readonly killed: AbortSignal;
};
