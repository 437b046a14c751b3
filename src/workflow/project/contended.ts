import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { ConflictError } from '../../events/event-log.ts';

/** How often a decision is made again because another writer was faster. */
export const MAX_CONFLICTS = 100;

/** So many times it is made again at once: whoever reads a file has the newest state at hand. */
const AT_ONCE = 3;
/** Pauses after that: any part of these. */
const PAUSE = { firstMs: 2, longestMs: 20 };

/** Waits before a decision is made again, after so many conflicts in a row. */
export async function yieldToOthers(conflicts: number): Promise<void> {
  if (conflicts <= AT_ONCE) return;
  await pause(Math.random() * backoffMs(PAUSE, conflicts - AT_ONCE - 1));
}

/** Others were always faster. Nothing was appended. */
export function contended(stream: string, cause: ConflictError): CliffordError {
  return new CliffordError(
    `Cannot decide about ${stream}: ${MAX_CONFLICTS} times in a row another writer was faster`,
    {
      code: 'LOG_CONTENDED',
      fix: 'Find out who writes so much to this stream, then try again',
      recovery: 'retry',
      cause,
    },
  );
}
