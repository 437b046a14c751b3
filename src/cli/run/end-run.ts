import type { Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { FinishedRun } from './run-order.ts';
import { hanging } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';

const codes: Readonly<Record<FinishedRun['end']['outcome'], ExitCode>> = {
  completed: exitCodes.done,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  blocked: exitCodes.blocked,
  limited: exitCodes.limited,
  overspent: exitCodes.overspent,
  stopped: exitCodes.interrupted,
};

/** Says on its last line how a run ended, before it what somebody may have to look at, and sets the exit code that follows from it. */
export function endRun(cli: Cli, finished: FinishedRun): FinishedRun {
  printEnd(cli, finished);
  cli.endWith(codes[finished.end.outcome]);
  return finished;
}

/** Says it, where the run was not all there was to the command. */
export function printEnd(cli: Pick<Cli, 'print' | 'style' | 'stdout'>, finished: FinishedRun): void {
  const { stream, end, isPartial, remarks } = finished;
  for (const remark of remarks) cli.print(remark);
  const { outcome } = end;
  const colour = outcome === 'completed' && !isPartial ? 'green' : outcome === 'failed' ? 'red' : 'yellow';
  const lead = `${cli.style('bold', stream)} ${cli.style(colour, outcome)}, `;
  cli.print(hanging(cli, lead, endText(finished), 2));
}

/** How far a run came, what humans were asked, and why it came no further: what stands behind `demo failed, `. */
export function endText({ end: { outcome, reason }, progress, asked }: FinishedRun): string {
  // That of a sprint that is complete only says again what the count of its tasks does.
  const why = reason === '' || outcome === 'completed' ? '' : `: ${visibleLine(reason)}`;
  return `${progress}${asked === '' ? '' : `, ${asked}`}${why}`;
}

/** What somebody can do after a run that has ended like this; `undefined`: nothing is left, or the reason says it. */
export function nextStep(
  { end, stream, isPaused }: Pick<FinishedRun, 'end' | 'stream' | 'isPaused'>,
  called = 'clifford',
): string | undefined {
  const { outcome } = end;
  if (isPaused && (outcome === 'blocked' || outcome === 'stopped'))
    return `next: ${called} resume ${visibleLine(stream)} ends the pause; then the same command goes on`;
  switch (outcome) {
    case 'failed':
      return `next: ${called} replay ${visibleLine(stream)} shows what happened; the same command retries what failed`;
    case 'blocked':
      return `next: ${called} questions and ${called} answer; the same command goes on`;
    case 'stopped':
    case 'limited':
      return 'next: the same command continues where the sprint stopped';
    case 'completed':
    case 'cancelled':
    case 'overspent':
      return undefined;
  }
}
