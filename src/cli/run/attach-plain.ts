import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { isRunWithoutUs } from '../../workflow/queue/worker-of.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { processesOf } from '../project/processes.ts';
import { tellTrouble } from '../project/tell-trouble.ts';
import { onInterrupt } from './on-interrupt.ts';
import { printLive } from './print-live.ts';
import { runLineOf } from '../../views/sprints/run-line.ts';
import { statusOf } from '../../views/sprints/sprint-status.ts';
import { statusLines } from '../text/status-lines.ts';

/** How often is looked whether the runner is still there, in ms: one that crashes tells nobody. */
const LOOK_EVERY_MS = 1_000;

/**
 * Prints where a sprint stands, then its events as they happen, until it ends, Ctrl-C, or nobody works on it:
 * no runner, no worker that will, and no agent without one. What is outside of any sprint does not end.
 */
export async function attachPlain(cli: Cli, project: Project, stream: string): Promise<void> {
  const left = new AbortController();
  const release = onInterrupt(() => left.abort());
  const sprint = statusOf({ id: stream, folder: undefined }, project.state, processesOf(project));
  const open = openRequests(project.state).map(({ id }) => id);
  cli.printLines(statusLines(sprint, { ...cli, now: Date.now(), open, hasQuestions: true }));
  const stopPrinting = printLive(cli, project, stream);
  const stopTelling = tellTrouble(cli, project);
  const deserted = new AbortController();
  const look = () => {
    if (!isWorkedOn(project, stream)) deserted.abort();
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    const signal = AbortSignal.any([left.signal, deserted.signal, cli.lostReader]);
    await project.until(({ streams }) => hasEnded(streams.get(stream)) || undefined, { signal });
  } catch (error) {
    if (left.signal.aborted) cli.endWith(exitCodes.interrupted);
    else if (cli.lostReader.aborted) return;
    else if (!deserted.signal.aborted) throw error;
    else {
      const left = (await project.refresh()).streams.get(stream);
      if (hasEnded(left)) return;
      const run = left ? runLineOf(left, cli.called) : `${cli.called} run ${stream}`;
      cli.warn(`no runner is at work on ${stream}. To go on: ${run}`);
      cli.endWith(exitCodes.failed);
    }
  } finally {
    clearInterval(timer);
    stopPrinting();
    stopTelling();
    release();
  }
}

function isWorkedOn(project: Project, stream: string): boolean {
  const tasks = project.state.streams.get(stream)?.tasks.values() ?? [];
  return (
    stream === ADHOC_STREAM ||
    isRunWithoutUs(project, stream) ||
    [...tasks].some(({ machine }) => machine.context.byHand)
  );
}

function hasEnded(sprint: SprintState | undefined): boolean {
  return sprint !== undefined && wordOf(sprint.machine.value) === 'done';
}
