import type { Notice } from '../../tui/screen/screen-state.ts';
import type { ScreenLook } from '../../tui/terminal/screen-look.ts';
import type { Cli } from '../cli.ts';
import { endRun, endText, printEnd } from '../run/end-run.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { orderRun } from '../run/order-run.ts';
import { runOnScreen } from '../run/run-on-screen.ts';

/**
 * Runs a sprint on the screen as `clifford run` does, and says how it ended. `interrupted`: a signal ended it, which is for
 * all of the command.
 *
 * @throws {CliffordError} why it cannot be run.
 */
export async function runFromOverview(
  cli: Cli,
  sprint: string,
  look?: ScreenLook,
): Promise<Notice | 'interrupted'> {
  const agentCmd = cli.env['CLIFFORD_AGENT_CMD'];
  const interruption = new AbortController();
  const release = onInterrupt((signal) => interruption.abort(signal));
  try {
    const order = await orderRun(cli, sprint, agentCmd ? { agentCmd } : {});
    const finished = await runOnScreen(cli, { ...order, look, interrupted: interruption.signal });
    if (interruption.signal.aborted) {
      endRun(cli, finished);
      return 'interrupted';
    }
    // It stays in sight when the overview is left, too.
    printEnd(cli, finished);
    const { outcome } = finished.end;
    const tone = outcome === 'completed' && !finished.isPartial ? 'ok' : 'warning';
    return { tone, text: `${finished.stream} ${outcome}, ${endText(finished)}` };
  } finally {
    release();
  }
}
