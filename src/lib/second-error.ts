import { CliffordError } from '../errors.ts';
import { messageOf } from './message-of.ts';

/**
 * What went wrong, and then, too, while that was put right. The first one stays what it was: its code, and what to do about
 * it.
 *
 * @param what - What failed the second time: `taking its files back`.
 */
export function withSecond(first: unknown, what: string, second: unknown): Error {
  const message = `${messageOf(first)}; and ${what} failed: ${messageOf(second)}`;
  const cause = new AggregateError([first, second], message, { cause: first });
  if (!(first instanceof CliffordError)) return cause;
  const { code, fix, recovery } = first;
  return new CliffordError(message, { code, fix, recovery, cause });
}

/** What is to be done last, whatever came of the work. */
type Last = {
  /** `removing its folder`. */
  readonly what: string;
  readonly last: () => void;
  /** What ends the work. */
  readonly signal: AbortSignal;
  /** Told that only this has failed, in words: what came of the work stays. */
  readonly tell: (problem: string) => void;
};

/**
 * Works, and then does what is to be done whatever came of it. Where both fail, both are said.
 *
 * @throws the signal's reason when it aborts, whatever else fails.
 */
export async function workAndThen<T>(work: () => Promise<T>, { what, last, signal, tell }: Last): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    try {
      last();
    } catch (second) {
      signal.throwIfAborted();
      throw withSecond(error, what, second);
    }
    throw error;
  }
  try {
    last();
  } catch (error) {
    tell(`${what} failed: ${messageOf(error)}`);
  }
  return result;
}
