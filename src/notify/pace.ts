/** Shortest time between two looks at the log, in ms. */
export const LOOK_EVERY_MS = 250;
/** Longest sleep, in ms: timers stand still while the machine is suspended, and the clock may be set. */
export const LONGEST_SLEEP_MS = 60_000;
/** How long a channel may take that still calls when all is over, in ms. */
export const CLOSE_GRACE_MS = 3_000;
/** Whoever has pressed a key within this time, in ms, sees the screen. */
export const LOOKING_MS = 10_000;
/** A usage limit is no news while another agent may take over, in ms. */
export const SETTLE_MS = 5_000;

/**
 * When a human is called again for what waits, ms since the epoch: after twice the time each time. `last`: when they were called last; `times`: how
 * often. Never where `remindMs` is 0.
 */
export function remindAt(last: number, times: number, remindMs: number): number {
  return remindMs > 0 ? last + remindMs * 2 ** (times - 1) : Number.POSITIVE_INFINITY;
}
