import type { SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from './on-interrupt.ts';
import { printLive } from './print-live.ts';
import { statusOf } from '../../views/sprint-status.ts';
import { statusLines } from '../text/status-lines.ts';

/** Prints where a sprint stands, then its events as they happen, until it ends or Ctrl-C. */
export async function attachPlain(cli: Cli, project: Project, stream: string): Promise<void> {
  const left = new AbortController();
  const release = onInterrupt(() => left.abort());
  const sprint = statusOf({ id: stream, folder: undefined }, project.state);
  cli.print(statusLines(sprint, { style: cli.style, now: Date.now() }).join('\n'));
  const stopPrinting = printLive(cli, project, stream);
  try {
    await project.until(({ streams }) => cli.hasLostReader() || hasEnded(streams.get(stream)) || undefined, {
      signal: left.signal,
    });
  } catch (error) {
    if (!left.signal.aborted) throw error;
    cli.endWith(exitCodes.interrupted);
  } finally {
    stopPrinting();
    release();
  }
}

function hasEnded(sprint: SprintState | undefined): boolean {
  return sprint !== undefined && wordOf(sprint.machine.value) === 'done';
}
