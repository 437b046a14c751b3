import { attemptHeading } from '../../views/sprints/attempt-heading.ts';
import { createAgentOutput } from '../text/agent-output.ts';
import type { Pane } from './pane.ts';

/** Of so many runs the output is shown, the last ones. */
const MOST_RUNS = 8;

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
    const runs = (await tracks.read()).runs(task, until).slice(-MOST_RUNS);
    const shown = createAgentOutput();
    let isSilent = true;
    for (const { attempt, agent, time, transcript } of runs) {
      if (attempt > 1) shown.note(task, attemptHeading({ attempt, agent, at: time }));
      const text = output.until(transcript, until);
      shown.append(task, text);
      isSilent = text === '';
    }
    const { lines = [] } = shown.read(task) ?? {};
    return { lines: () => lines, empty: 'No output yet', isSilent };
  },
};
