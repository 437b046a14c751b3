import type { SprintState } from '../../machines/project-state.ts';

/** How the tasks of a sprint are shared between workers, for one of them. */
export type ShareRules =
  /** It has the sprint, works on tasks as the policy says, and lets others take more. */
  | {
      readonly as: 'owner';
      /** Tasks that may be under way at once, everywhere. */
      readonly total: number;
      /** Tasks that others may take: their work becomes a commit, which can be brought here. */
      readonly sharable: ReadonlySet<string>;
      /** Tasks that need what this machine has not. */
      readonly foreign: ReadonlySet<string>;
    }
  /** It has this task of a sprint that another worker has. */
  | { readonly as: 'helper'; readonly taskId: string };

/** What an owner knows of tasks that it does not see among its own. */
export type Share = {
  /** Those that others have, or may take. */
  readonly away: readonly string[];
  /** Those of them that nobody has yet. */
  readonly open: readonly string[];
  /** Those that only others can work on, and that wait for nothing else. */
  readonly due: readonly string[];
  /** Those that only others can work on, and could not. */
  readonly refused: readonly string[];
  /** The sprint with all of its tasks. */
  readonly whole?: SprintState;
};
