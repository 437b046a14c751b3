import { CliffordError } from '../../errors.ts';

/** Which sprints workers take before others: those of `first`, and those of `last` when there is nothing else. */
export const lanes = ['first', 'next', 'last'] as const;
/** One of {@link lanes}. */
export type Lane = (typeof lanes)[number];

/** A sprint that waits for a worker, or one of its tasks that does; or that one works on. */
export type Job = {
  /** The id of the sprint. It is in the queue once, and so is each of its tasks. */
  readonly sprint: string;
  /** One task of it, beside the sprint; `undefined`: the sprint. */
  readonly task?: string | undefined;
  /** Labels that a worker has to have, in order. */
  readonly needs: readonly string[];
  readonly lane: Lane;
  /** What was made of tasks and cannot be found any more is made again. Default: the sprint is not gone on with then. */
  readonly fromBase?: true | undefined;
  /** Who put it there. */
  readonly by: string;
  /** When, RFC 3339. */
  readonly at: string;
};

/**
 * A job that was handed to a worker. It is handed to another one when it has not been {@link HeldJob.extend extended} for as long as
 * the queue waits: it says "try", and who may write is decided by the log.
 */
export type HeldJob = Job & {
  /** How long the queue waits, in ms. */
  readonly deadlineMs: number;
  /**
   * Says that the worker lives. If that was not heard for as long as the queue waits, the job is taken again where nobody else has it by
   * then. `gone`: it was taken out of the queue, or moved in it.
   */
  extend(): Promise<'held' | 'gone'>;
  /** Takes it out of the queue: there is nothing left to do. */
  finish(): Promise<void>;
  /** Hands it to the next worker, at once or after a while in ms. */
  giveBack(afterMs?: number): Promise<void>;
};

/**
 * The sprints of a project, and tasks of them, that wait for workers, each handed to one at a time. What a sprint is, and how far
 * it has come, is not known here: the log says that.
 */
export type JobQueue = {
  /** What it is called: `nats://host:4222/project`. */
  readonly name: string;

  /** Adds a job behind those of its lane. @throws {CliffordError} `SPRINT_QUEUED` when it is in the queue. */
  add(job: Job): Promise<void>;

  /** All of them, those that are worked on included, in the order in which they are handed out. */
  list(): Promise<readonly Job[]>;

  /** Puts a job behind those of a lane. @throws {CliffordError} `SPRINT_NOT_QUEUED`. */
  move(sprint: string, lane: Lane): Promise<void>;

  /**
   * Takes a sprint out with all of its tasks, or one task, also what is worked on: its worker learns of it.
   *
   * @throws {CliffordError} `SPRINT_NOT_QUEUED`.
   */
  cancel(sprint: string, task?: string): Promise<void>;

  /**
   * The first job that nobody works on and whose needs are among the labels; `undefined`: there is none now.
   *
   * @param isForOthers - Whether a job is left to other workers. Default: none is.
   */
  take(labels: readonly string[], isForOthers?: (job: Job) => boolean): Promise<HeldJob | undefined>;

  /** Has this process count as a worker with these labels, at work or not, until the returned function is called. */
  attend(labels: readonly string[]): () => void;

  /** Those of these jobs for which no worker is there that has what they need. `undefined`: nobody can tell. */
  withoutWorker(jobs: readonly Job[]): Promise<readonly Job[] | undefined>;

  /** Resolves when a job may be there that was not, or when `signal` aborts. */
  changed(options: { readonly signal: AbortSignal }): Promise<void>;

  /** Closes the connection. Safe to call twice. */
  close(): Promise<void>;
};

/** The sprint is in the queue already. */
export function sprintQueued(sprint: string): CliffordError {
  return new CliffordError(`Cannot add sprint ${sprint} to the queue: it is in it already`, {
    code: 'SPRINT_QUEUED',
    fix: 'See where it stands with: clifford queue list',
    recovery: 'give-up',
  });
}

/** The sprint is not in the queue. */
export function sprintNotQueued(sprint: string): CliffordError {
  return new CliffordError(`Cannot find sprint ${sprint} in the queue`, {
    code: 'SPRINT_NOT_QUEUED',
    fix: 'See what is in it with: clifford queue list',
  });
}
