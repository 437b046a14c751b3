import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { feedTitles } from '../../../src/tui/feed/feed-titles.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('tells the first headings of the files of tasks, and of those that come later', async () => {
  const { project, dir, stream } = await projectWithSprint({ tasks: ['a', 'b', 'c'] });
  await writeFile(join(dir, 'b.md'), 'Text\n\n```\n# code\n```\n\n## Build the form\n');
  await writeFile(join(dir, 'c.md'), 'no heading');
  const titles = new Map<string, string>();
  const stop = feedTitles({
    project,
    stream,
    send: (event) => {
      if (event.type === 'titled') for (const [id, title] of event.titles) titles.set(id, title);
    },
  });
  onTestFinished(stop);
  const all = (...more: (readonly [string, string])[]) =>
    vi.waitFor(() => expect([...titles]).toEqual([['a', 'Task a'], ['b', 'Build the form'], ...more]));
  await all();
  await writeFile(join(dir, 'late.md'), '# Came late\n');
  const task = { id: 'late', file: 'late.md' };
  await project.dispatch(stream, () => [
    { type: 'sprint.amended', subject: stream, data: { tasks: [task] } },
  ]);
  await all(['late', 'Came late']);
});
