import { wholeNumber, type NumberSource } from '../config/whole-number.ts';

/** What the environment says about calls that wait for a human. */
export type WaitSettings = {
  /** How long a call may wait, in ms, whatever its client; 0: without limit. `undefined`: by the client. */
  readonly limitMs: number | undefined;
  /** Time between two progress notifications, in ms. */
  readonly progressMs: number;
};

/** Agents take their clients for dead after 60 s without a sign, at the earliest. */
const PROGRESS_MS = 20_000;

/** Reads `CLIFFORD_WAIT_LIMIT_MS` and `CLIFFORD_PROGRESS_MS`. */
export function readWaitSettings(source: NumberSource): WaitSettings {
  const limit = { least: 0, what: 'whole milliseconds from 0 (no limit)' };
  const progress = { least: 1, what: 'whole milliseconds from 1' };
  return {
    limitMs: wholeNumber(source, 'CLIFFORD_WAIT_LIMIT_MS', limit),
    progressMs: wholeNumber(source, 'CLIFFORD_PROGRESS_MS', progress) ?? PROGRESS_MS,
  };
}
