import { dirname, join } from 'node:path';
import { visibleLine } from '../../lib/text/visible.ts';
import { withinProject } from '../../views/calls/within-project.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';
import type { Pane } from './pane.ts';

/** The text of a task, as its file has it now. */
export const taskPane: Pane = {
  id: 'task',
  title: 'Task',
  short: 'Task',
  about: 'the file that tells the agent what to do',
  kind: 'text',
  follows: 'events',
  load: async ({ project, stream }, task) => {
    const { manifest, tasks } = project.state.streams.get(stream) ?? {};
    const file = tasks?.get(task)?.file;
    const nameOf = (path: string) => withinProject(project.root, path);
    const isKnown = manifest !== undefined && file !== undefined;
    const folder = dirname(manifest ?? '');
    const text = isKnown ? await readTaskFile(project.root, folder, file, undefined, nameOf) : null;
    // Loaded with the first text that is looked at.
    const { markdownLines } = await import('../text/markdown-lines.ts');
    const lines = markdownLines(text ?? '').map((line, at) => ({ at, line }));
    const place = file === undefined ? '' : `: ${visibleLine(join(folder, file))}`;
    return {
      lines: () => lines,
      empty: text === null ? `Its file is not there${place}` : 'Its file is empty',
    };
  },
};
