import type { FinishedRun } from '../run/run-order.ts';
import { oneLine } from '../../lib/text/visible.ts';

/** What somebody can do after a run that has ended like this; `undefined`: nothing is left, or the reason says it. */
export function nextStep({
  end,
  stream,
  isPaused,
}: Pick<FinishedRun, 'end' | 'stream' | 'isPaused'>): string | undefined {
  const { outcome } = end;
  if (isPaused && (outcome === 'blocked' || outcome === 'stopped'))
    return `next: clifford resume ${oneLine(stream)} ends the pause; then the same command goes on`;
  switch (outcome) {
    case 'failed':
      return `next: clifford replay ${oneLine(stream)} shows what happened; the same command retries what failed`;
    case 'blocked':
      return 'next: clifford questions and clifford answer; the same command goes on';
    case 'stopped':
    case 'limited':
      return 'next: the same command continues where the sprint stopped';
    case 'completed':
    case 'cancelled':
    case 'overspent':
      return undefined;
  }
}
