import { watchCaller } from '../requests/caller.ts';
import { onInterrupt } from './on-interrupt.ts';
import { duration } from '../../lib/time/duration.ts';

/** Why a command stops waiting for what it waits for. */
export type Departure = { readonly cause: 'signal' | 'caller' | 'time'; readonly why: string };

/** A time limit: for how long, and since when, as `performance.now()` has it. */
type Limit = { readonly ms: number; readonly since: number };

/** Everything that can end a wait before its time. `signal` aborts at the first of them. */
export type Leaving = {
  readonly signal: AbortSignal;
  readonly departure: () => Departure | undefined;
  readonly stop: () => void;
};

/** Watches for Ctrl-C, the end of the process that waits for our output, and a time limit, if there is one. */
export function watchLeaving({ limit }: { limit?: Limit | undefined } = {}): Leaving {
  const over = new AbortController();
  let departure: Departure | undefined;
  const leave = (cause: Departure['cause'], why: string) => {
    departure ??= { cause, why };
    over.abort();
  };
  const release = onInterrupt((signal) => leave('signal', `the command was ended by ${signal}`));
  const unwatch = watchCaller((why) => leave('caller', why));
  const timer =
    limit &&
    setTimeout(
      () => leave('time', `its time limit of ${duration(limit.ms)} is over`),
      Math.max(0, limit.since + limit.ms - performance.now()),
    );
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
