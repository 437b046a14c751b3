import { dirname, join } from 'node:path';
import { visibleLine } from '../../lib/text/visible.ts';
import { withinProject } from '../../views/calls/within-project.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';
import { asItIsNow } from '../../views/sprints/as-it-is-now.ts';
import type { SpanLine } from '../text/spans.ts';
import { notPlanned, sprintShown, type Pane } from './pane.ts';

/** The text of a task, as its file has it now: of the past, too, where it says so. */
export const taskPane: Pane = {
  id: 'task',
  title: 'Task',
  short: 'Task',
  about: 'the file that tells the agent what to do',
  kind: 'text',
  follows: 'events',
  load: async (source, task) => {
    const { project, past } = source;
    const { manifest, tasks } = sprintShown(source) ?? {};
    const file = tasks?.get(task)?.file;
    if (manifest === undefined || file === undefined) return notPlanned;
    const nameOf = (path: string) => withinProject(project.root, path);
    const folder = dirname(manifest);
    const text = await readTaskFile(project.root, folder, file, undefined, nameOf);
    // Loaded with the first text that is looked at.
    const { markdownLines } = await import('../text/markdown-lines.ts');
    const written = markdownLines(text ?? '');
    const place = visibleLine(join(folder, file));
    const lines = (past && written.length > 0 ? [...remarkOn(place), ...written] : written).map(
      (line, at) => ({
        at,
        line,
      }),
    );
    const now = past ? ' now' : '';
    return {
      lines: () => lines,
      empty: text === null ? `Its file is not there${now}: ${place}` : `Its file is empty${now}`,
    };
  },
};

/** Stands above a text that may have been another one then. */
function remarkOn(place: string): readonly SpanLine[] {
  return [{ spans: [{ text: place + asItIsNow, style: 'dim' }], breaks: 'words' }, { spans: [] }];
}
