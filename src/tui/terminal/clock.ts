import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { rememberLast } from '../../lib/remember-last.ts';
import { waitedText } from '../../lib/time/duration.ts';

/** Where screens get the time from. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Calls `listener` once a second until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
};

const TICK_MS = 1_000;

/** With reduced motion, times that are shown change no more often, in ms. */
const STILL_STEP_MS = 10_000;

/** The machine's clock. It ticks only while someone listens, and keeps no process alive. */
export function createClock({ isStill = false }: { readonly isStill?: boolean } = {}): Clock {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const step = isStill ? STILL_STEP_MS : 1;
  const tick = () => {
    for (const listener of listeners) listener();
  };
  return {
    now: () => Math.floor(Date.now() / step) * step,
    subscribe: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(tick, TICK_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

/** A clock that stands still, `at` in ms since the epoch. */
export function stillClock(at: number): Clock {
  return { now: () => at, subscribe: never };
}

/** The clock of a screen. */
export const ClockContext = createContext<Clock>(createClock());

/** Whether a runner is at work on the sprint that a screen shows. */
export const RunnerContext = createContext<() => boolean>(() => true);

/** Asks once a second, and where there is another version: what draws asks with every drawing. */
export function askedSeldom<T>(ask: () => T, version: () => number): () => T {
  const asked = rememberLast((_version: number, _second: number) => ask());
  return () => asked(version(), Math.floor(performance.now() / TICK_MS));
}

/** Looked at with every tick of the clock: a runner that crashes tells nobody. */
export function useHasRunner(): boolean {
  const { subscribe } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, useContext(RunnerContext));
}

/** Ids of the tasks of the sprint that a screen shows whose agents are gone, and nothing recorded that. */
export const GoneAgentsContext = createContext<() => readonly string[]>(() => []);

/** Looked at with every tick of the clock, too. Draws anew only when others are. */
export function useGoneAgents(): ReadonlySet<string> {
  const { subscribe } = useContext(ClockContext);
  const gone = useContext(GoneAgentsContext);
  const ids = useSyncExternalStore(subscribe, () => JSON.stringify(gone()));
  return useMemo(() => new Set(JSON.parse(ids) as string[]), [ids]);
}

/** Whole seconds until a moment (ms since 1970), counted up. Ticks only while there is one. */
export function useSecondsTo(at: number | undefined): number | undefined {
  const { now, subscribe } = useContext(ClockContext);
  return useSyncExternalStore(at === undefined ? never : subscribe, () =>
    at === undefined ? undefined : Math.max(0, Math.ceil((at - now()) / 1_000)),
  );
}

/** Plain data that is made of the time (ms since 1970). Draws anew only when it is another; ticks only where it `isTimed`. */
export function useTimed<T>(isTimed: boolean, of: (now: number) => T): T {
  const { now, subscribe } = useContext(ClockContext);
  const text = useSyncExternalStore(isTimed ? subscribe : never, () => JSON.stringify(of(now())));
  return useMemo(() => JSON.parse(text) as T, [text]);
}

const never = () => () => undefined;

/** How long ago a moment (RFC 3339) is, in words, plus `addMs`. Draws anew only when the words change. */
export function useSince(moment: string | undefined, addMs = 0): string {
  const { now, subscribe } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, () =>
    moment === undefined ? '' : waitedText(now() - Date.parse(moment) + addMs),
  );
}
