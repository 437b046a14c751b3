import { LOOKING_MS, SETTLE_MS } from './pace.ts';
import { isFinal, type Reason } from './reasons.ts';

/** A reason, and since when there is one, ms since the epoch. */
export type Pending = { readonly reason: Reason; readonly since: number };

/** So long what comes together is gathered, in ms from the first of it: a burst is one notification. */
const GATHER_MS = 1_000;
/** Shortest time between two calls, in ms. */
const PAUSE_MS = 10_000;

/** What decides when a human is called. Times are ms since the epoch. */
export type Moment = {
  readonly now: number;
  readonly lastCallAt: number | undefined;
  /** When a key was pressed in front of this very screen; `undefined`: none was, or nobody knows. */
  readonly lastKeyAt: number | undefined;
  /** How long quiet hours go on, in ms. */
  readonly quietMs: number;
};

/** Whether somebody types here. */
export function isTyping({ now, lastKeyAt }: Pick<Moment, 'now' | 'lastKeyAt'>): boolean {
  return lastKeyAt !== undefined && now - lastKeyAt < LOOKING_MS;
}

/**
 * How long to wait before a human is called about these, in ms; 0: not any more. At least one.
 *
 * @param afterMs - How long a request has to wait before.
 */
export function waitMs(
  pending: readonly Pending[],
  { now, lastCallAt, lastKeyAt, quietMs }: Moment,
  afterMs: number,
): number {
  const since = (at: number | undefined, ms: number) => (at === undefined ? 0 : at + ms - now);
  const due = Math.min(...pending.map((each) => dueAt(each, afterMs))) - now;
  const pause = pending.some(({ reason }) => isFinal(reason)) ? 0 : since(lastCallAt, PAUSE_MS);
  return Math.max(0, due, pause, since(lastKeyAt, LOOKING_MS), quietMs);
}

/** Whether it is told with what is told now: what is due within a moment is. */
export function isDueWith(pending: Pending, now: number, afterMs: number): boolean {
  return dueAt(pending, afterMs) <= now + (pending.reason.is === 'stall' ? SETTLE_MS : GATHER_MS);
}

function dueAt({ reason, since }: Pending, afterMs: number): number {
  switch (reason.is) {
    case 'end':
    case 'left':
      return since;
    case 'stall':
      return since + SETTLE_MS;
    case 'failures':
      return since + GATHER_MS;
    case 'request':
      // A clock that was set back has it wait no longer.
      return Math.max(since + GATHER_MS, Math.min(since, Date.parse(reason.request.askedAt)) + afterMs);
  }
}
