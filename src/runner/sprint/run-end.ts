/**
 * How a run ended. `stopped`: from outside, e.g. with Ctrl-C; `blocked`: only a human can go on; `limited`: a
 * usage limit has to end first; these two only when it was told not to wait. `overspent`: a budget is used up.
 */
export type RunOutcome =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'stopped'
  | 'blocked'
  | 'limited'
  | 'overspent';

/** The end of a run, and why it ended, in words. */
export type RunEnd = { readonly outcome: RunOutcome; readonly reason: string };
