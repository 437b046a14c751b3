import type { PaneSource } from '../../src/tui/panes/pane.ts';
import { LineNumbers } from '../../src/tui/text/line-numbers.ts';
import { TracksOfNow } from '../../src/workflow/history/task-tracks.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { PastOutput } from '../../src/workflow/transcripts/past-output.ts';
import { logOf } from './stored-events.ts';

/** What a test says of {@link PaneSource}; of the project, what the pane asks it for. */
type Said = Partial<Omit<PaneSource, 'project'>> & { readonly project?: Partial<Project> };

/** Where a pane of the sprint `demo` has what it shows of now from; what is not said of it has nothing in it. */
export function paneSource({ project = {}, stream = 'demo', ...said }: Said): PaneSource {
  return {
    project: project as Project,
    stream,
    events: { read: () => Promise.resolve([]) },
    tracks: new TracksOfNow(project.log ?? logOf([]), stream),
    output: new PastOutput(project.dir ?? '/nowhere'),
    numbers: new LineNumbers(),
    gone: new Set(),
    past: undefined,
    ...said,
  };
}
