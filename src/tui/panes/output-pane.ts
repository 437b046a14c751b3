import { namedTranscript } from '../../workflow/transcripts/transcript-files.ts';
import { outputUntil } from '../../workflow/transcripts/output-until.ts';
import { createAgentOutput, type TaskOutput } from '../text/agent-output.ts';
import type { Pane, PaneLine } from './pane.ts';

/** What the agents of a task write, as it comes. */
export const outputPane: Pane = {
  id: 'output',
  title: 'Output',
  about: 'what the agents of the task write',
  kind: 'log',
  isLive: true,
  load: ({ project, past }, task) => {
    const run = past?.sprint?.tasks.get(task)?.agent;
    const path = namedTranscript(project.dir, run?.transcript);
    const output = createAgentOutput();
    if (past && path !== undefined) output.append(task, outputUntil(path, past.version));
    const written = output.read(task);
    const lines = written ? outputLines(written) : [];
    return Promise.resolve({ lines: () => lines, empty: 'Nothing was written yet' });
  },
};

/** Its lines. */
export function outputLines({ dropped, lines }: TaskOutput): readonly PaneLine[] {
  return lines.map((each, at) => ({
    at: dropped + at,
    get line() {
      return each.line;
    },
  }));
}
