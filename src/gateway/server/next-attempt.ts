import { backoffMs } from '../../lib/time/backoff.ts';
import type { ManagerLimits } from './manager-limits.ts';

/** What follows an attempt to reach a server that did not last, the `failures`th in a row. */
export type NextAttempt = { readonly delayMs: number } | 'give-up';

/** The delay doubles with each failure, up to the longest; after the last attempt the next call tries again. */
export function nextAttempt(failures: number, limits: ManagerLimits): NextAttempt {
  const { attempts, firstDelayMs, longestDelayMs } = limits;
  if (failures >= attempts) return 'give-up';
  return { delayMs: backoffMs({ firstMs: firstDelayMs, longestMs: longestDelayMs }, failures - 1) };
}
