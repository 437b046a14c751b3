import { MOST_LINES, TaskLines } from '../text/task-lines.ts';
import { writeRuns } from '../text/write-runs.ts';
import type { Pane } from './pane.ts';

/** What the agents of a task write, as it comes. */
export const outputPane: Pane = {
  id: 'output',
  title: 'Output',
  short: 'Out',
  about: 'what the agents of the task write',
  kind: 'log',
  isLive: true,
  load: async ({ tracks, output, past }, task) => {
    const until = past?.version ?? Infinity;
    const { runs, left } = (await tracks.read()).lastRuns(task, until);
    const written = runs.map((run) => ({ ...run, ...output.until(run.transcript, until) }));
    const shown = new TaskLines(MOST_LINES);
    writeRuns(shown, { left, runs: written });
    const lines = shown.read();
    return { lines: () => lines, empty: 'No output yet', isSilent: written.at(-1)?.text === '' };
  },
};
