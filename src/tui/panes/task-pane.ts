import { dirname } from 'node:path';
import { stripAgentText } from '../../lib/text/sanitise.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';
import type { Pane, PaneLine } from './pane.ts';

/** The text of a task, as its file has it now. */
export const taskPane: Pane = {
  id: 'task',
  title: 'Task',
  about: 'the file that tells the agent what to do',
  kind: 'text',
  follows: 'events',
  load: async ({ project, stream }, task) => {
    const { manifest, tasks } = project.state.streams.get(stream) ?? {};
    const file = tasks?.get(task)?.file;
    const isKnown = manifest !== undefined && file !== undefined;
    const text = isKnown ? await readTaskFile(project.root, dirname(manifest), file) : null;
    const lines = text === null ? [] : stripAgentText(text).trimEnd().split('\n').map(asLine);
    return { lines: () => lines, empty: 'Its file is not there' };
  },
};

function asLine(text: string, at: number): PaneLine {
  return { at, line: { spans: [{ text, style: 'plain' }], breaks: 'words' } };
}
