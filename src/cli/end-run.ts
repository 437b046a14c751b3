import type { Cli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { FinishedRun } from './run-order.ts';
import { oneLine } from './text/visible.ts';

const codes: Readonly<Record<FinishedRun['end']['outcome'], ExitCode>> = {
  completed: exitCodes.done,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  blocked: exitCodes.blocked,
  stopped: exitCodes.interrupted,
};

/** Says on one line how a run ended, and sets the exit code that follows from it. */
export function endRun(cli: Cli, { stream, end, done, tasks }: FinishedRun): void {
  const { outcome, reason } = end;
  const colour = outcome === 'completed' ? 'green' : outcome === 'failed' ? 'red' : 'yellow';
  const why = reason === '' ? '' : `: ${oneLine(reason)}`;
  cli.print(
    `${cli.style('bold', stream)} ${cli.style(colour, outcome)}, ${done} of ${tasks} tasks done${why}`,
  );
  cli.endWith(codes[outcome]);
}
