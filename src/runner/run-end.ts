/** How a run ended. */
export type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'stopped' | 'blocked';
export type RunEnd = { readonly outcome: RunOutcome; readonly reason: string };
