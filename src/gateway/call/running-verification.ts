import type { Excused } from '../../workflow/verify/verify-task.ts';

/** They succeeded, but for those that are excused; or what was thrown. */
export type VerificationEnd =
  | { readonly is: 'verified'; readonly excused: readonly Excused[] }
  | { readonly is: 'failed'; readonly error: unknown };

/** The commands of one task under way, or ended a moment ago and not told to a call yet. */
export type SharedVerification = {
  /** The attempt that is verified, and by which commands: it counts for no other. */
  readonly subject: object;
  /** How they ended. Never rejects. */
  readonly outcome: Promise<VerificationEnd>;
  /** Ends them. So does the end of the session. */
  readonly stop: AbortController;
  /** Calls that wait for them. */
  callers: number;
  /** When they ended, in ms of `performance.now()`; `undefined` while they run. */
  endedAt: number | undefined;
  /** Its end was told: the next call begins anew. */
  readonly forget: () => void;
};
