import type { ShareRules } from '../reconcile/share-rules.ts';

/** How a runner shares the tasks of a sprint with others; without `sharing` it offers none itself. */
export type SprintShare = { readonly rules: ShareRules; readonly sharing?: Sharing };

/** By what tasks reach other workers, and what those made comes here. */
export type Sharing = {
  /** How the log names the worker that has the sprint. */
  readonly worker: string;
  /** What a worker has to have for a task, in order. */
  readonly needsOf: (taskId: string) => readonly string[];
  /** Pushes the sprint's branch. @returns a commit of it that is pushed. @throws {CliffordError} `PUSH_FAILED`. */
  readonly push: (signal: AbortSignal) => Promise<string>;
  /** Fetches what others have pushed. @throws {CliffordError} `FETCH_FAILED`. */
  readonly fetch: (signal: AbortSignal) => Promise<void>;
  /** Puts a task into the queue, unless it is there. */
  readonly add: (taskId: string, needs: readonly string[]) => Promise<void>;
  /** Takes it out, if it is there. */
  readonly remove: (taskId: string) => Promise<void>;
};
