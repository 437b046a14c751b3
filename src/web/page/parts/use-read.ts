import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../connection/api-error.ts';

/** Something that was asked for: what was read last, and why what was asked for last could not be. */
export type Read<T> = {
  readonly value: T | undefined;
  readonly error: string | undefined;
  /** The key of what was asked for last and has come, or failed. */
  readonly of: string | undefined;
};

const nothing = { value: undefined, error: undefined, of: undefined };

/**
 * Reads something whenever its key changes: one at a time, and of several keys in a row the first and the last. What was read before
 * stays until then. What could not be read is tried again, unless that was refused.
 *
 * @param key - `undefined`: nothing is wanted.
 * @param restMs - So long nothing is read behind a reading, in ms: for what is read as a whole whenever something happens.
 */
export function useRead<T>(key: string | undefined, read: () => Promise<T>, restMs = 0): Read<T> {
  const [result, setResult] = useState<Read<T>>(nothing);
  const latest = useRef(read);
  const rest = useRef(restMs);
  const wake = useRef<() => void>(undefined);
  const wanted = useRef(key);
  const isReading = useRef(false);
  useEffect(() => {
    latest.current = read;
    rest.current = restMs;
  });
  useEffect(() => {
    wanted.current = key;
    if (rest.current === 0) wake.current?.();
    if (isReading.current) return;
    isReading.current = true;
    void readOn().finally(() => {
      isReading.current = false;
    });

    async function readOn(): Promise<void> {
      let failures = 0;
      for (let done: string | undefined; wanted.current !== undefined && wanted.current !== done;) {
        const of = wanted.current;
        const { isLost, ...next } = await outcomeOf(latest.current());
        setResult(({ value }) => ({ value, ...next, of }));
        done = isLost ? undefined : of;
        failures = isLost ? failures + 1 : 0;
        await new Promise<void>((resolve) => {
          wake.current = resolve;
          setTimeout(resolve, isLost ? Math.min(failures * AGAIN_MS, MOST_AGAIN_MS) : rest.current);
        });
      }
    }
  }, [key]);
  useEffect(() => () => void (wanted.current = undefined), []);
  return key === undefined ? nothing : result;
}

/** See `restMs` of {@link useRead}: what is read so may be so old. */
export const RESTING_MS = 1_000;

/** So long behind what did not come, or what the server could not say, it is tried again, in ms; each time by so much later. */
const AGAIN_MS = 3_000;
/** Not later than that. */
const MOST_AGAIN_MS = 15_000;

type Outcome<T> = { readonly value?: T; readonly error: string | undefined; readonly isLost?: boolean };

async function outcomeOf<T>(reading: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await reading, error: undefined };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status > 399 && error.status < 500;
    return { error: error instanceof ApiError ? error.message : String(error), isLost: !isRefused };
  }
}
