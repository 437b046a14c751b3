import { stripAgentLine } from '../lib/text/sanitise.ts';

/** Stands above what an agent wrote: `── attempt 2 · opencode · 14:03 ──`. */
export function attemptText({
  attempt,
  agent,
  at,
}: {
  readonly attempt: number;
  readonly agent: string;
  readonly at: string;
}): string {
  const time = new Date(at).toTimeString().slice(0, 5);
  return `── attempt ${attempt} · ${stripAgentLine(agent)} · ${time} ──`;
}
