/** What the environment says about calls that wait for a human. */
export type WaitSettings = {
  /** How long a call may wait, in ms, whatever its client; 0: without limit. `undefined`: by the client. */
  readonly limitMs: number | undefined;
  /** Time between two progress notifications, in ms. */
  readonly progressMs: number;
};

/** Longest timer Node can wait for, in ms: a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Agents take their clients for dead after 60 s without a sign, at the earliest. */
const PROGRESS_MS = 20_000;

/**
 * Reads `CLIFFORD_WAIT_LIMIT_MS` and `CLIFFORD_PROGRESS_MS`. A value that is none is reported, and
 * counts as if it were not there.
 */
export function readWaitSettings({
  env,
  report,
}: {
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string) => void;
}): WaitSettings {
  const read = (name: string, least: number, meaning: string) => {
    const text = env[name];
    if (text === undefined || text === '') return undefined;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= MAX_TIMER_MS) return value;
    report(
      `${name} is ignored. It has to be whole milliseconds from ${least}${meaning} to ${MAX_TIMER_MS}, ` +
        `and is ${JSON.stringify(text.slice(0, 100))}`,
    );
    return undefined;
  };
  return {
    limitMs: read('CLIFFORD_WAIT_LIMIT_MS', 0, ' (no limit)'),
    progressMs: read('CLIFFORD_PROGRESS_MS', 1, '') ?? PROGRESS_MS,
  };
}
