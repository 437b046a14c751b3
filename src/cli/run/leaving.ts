import { watchCaller } from '../requests/caller.ts';
import { onInterrupt } from './on-interrupt.ts';
import { duration } from '../../lib/time/duration.ts';

/** Why a command stops waiting for what it waits for. */
export type Departure = { readonly cause: 'signal' | 'caller' | 'time'; readonly why: string };

/** Everything that can end a wait before its time. `signal` aborts at the first of them. */
export type Leaving = {
  readonly signal: AbortSignal;
  readonly departure: () => Departure | undefined;
  readonly stop: () => void;
};

/**
 * Watches for Ctrl-C, the end of the process that waits for our output, and a time limit.
 *
 * @param waitMs - The longest wait, if there is one.
 */
export function watchLeaving({ waitMs }: { waitMs?: number | undefined } = {}): Leaving {
  const over = new AbortController();
  let departure: Departure | undefined;
  const leave = (cause: Departure['cause'], why: string) => {
    departure ??= { cause, why };
    over.abort();
  };
  const release = onInterrupt((signal) => leave('signal', `the command was ended by ${signal}`));
  const unwatch = watchCaller((why) => leave('caller', why));
  const timer =
    waitMs === undefined
      ? undefined
      : setTimeout(() => leave('time', `its time limit of ${duration(waitMs)} is over`), waitMs);
  return {
    signal: over.signal,
    departure: () => departure,
    stop: () => {
      release();
      unwatch();
      clearTimeout(timer);
    },
  };
}
