import type { PaneSource } from '../../src/tui/panes/pane.ts';
import { LineNumbers } from '../../src/tui/text/line-numbers.ts';
import { TracksOfNow } from '../../src/workflow/history/task-tracks.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { PastOutput } from '../../src/workflow/transcripts/past-output.ts';

/** Where a pane of the sprint `demo` has what it shows of now from; it has no events. */
export function paneSource(project: Project): PaneSource {
  return {
    project,
    stream: 'demo',
    events: { read: () => Promise.resolve([]) },
    tracks: new TracksOfNow(project.log, 'demo'),
    output: new PastOutput(project.dir),
    numbers: new LineNumbers(),
    gone: new Set(),
    past: undefined,
  };
}
