import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TaskTitles } from '../../../src/web/server/task-titles.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** The titles of a sprint with these tasks, and its folder. */
async function titlesOf(tasks: readonly string[]) {
  const { root, dir, project } = await projectWithSprint({ tasks });
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  const titles = new TaskTitles(project);
  return { dir, titles, read: () => titles.read({ id: 'demo', folder }) };
}

it('are read of more tasks than are read at once', async () => {
  const tasks = Array.from({ length: 201 }, (_, at) => `task-${at}`);
  const { titles, read } = await titlesOf(tasks);
  expect(await read()).toBe(true);
  expect([...titles.of('demo').values()]).toEqual(tasks.map((task) => `Task ${task}`));
});

it.each([
  ['is read when it comes before the last look', 59, 'Late'],
  ['is not waited for for ever: after sixty looks no more', 60, ''],
])('a file that is not there %s', async (_, looks, title) => {
  const { dir, titles, read } = await titlesOf(['a', 'b']);
  const file = join(dir, 'b.md');
  await rm(file);
  for (let look = 0; look < looks; look += 1) await read();
  await writeFile(file, '# Late\n');
  expect(await read()).toBe(title !== '');
  expect(titles.of('demo').get('b')).toBe(title);
});
