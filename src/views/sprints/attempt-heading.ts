import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { clockMinutes } from '../../lib/time/clock-text.ts';

/** Stands above what an agent wrote: `── attempt 2 · opencode · 14:03 ──`. */
export function attemptHeading({
  attempt,
  agent,
  at,
}: {
  readonly attempt: number;
  readonly agent: string;
  readonly at: string;
}): string {
  return `── attempt ${attempt} · ${stripAgentLine(agent)} · ${clockMinutes(new Date(at))} ──`;
}
