import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';

/** The environment, and who is told of what is wrong in it. */
export type NumberSource = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: string) => void;
};

/**
 * A variable that has to be a whole number. A value that is none is reported, and counts as if it were not there.
 *
 * @param what - What it has to be, for people: `whole milliseconds from 1`.
 */
export function wholeNumber(
  { env, report }: NumberSource,
  name: string,
  { least, what }: { readonly least: number; readonly what: string },
): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= LONGEST_TIMER_MS) return value;
  const shown = JSON.stringify(text.slice(0, 100));
  report(`${name} is ignored. It has to be ${what} to ${LONGEST_TIMER_MS}, and is ${shown}`);
  return undefined;
}
