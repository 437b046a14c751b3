import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { addTask } from '../../../src/workflow/task/add-task.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('a task that is added to a sprint of the log is in its manifest, its file and the log by then', async () => {
  const { root, project } = await projectWithSprint({ tasks: ['a'] });
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  await addTask(project, folder, { id: 'b', file: 'b.md', text: 'Do b', dependsOn: ['a'] });
  const sprint = project.state.streams.get('demo');
  expect([...(sprint?.tasks.keys() ?? [])]).toEqual(['a', 'b']);
  const read = (name: string) => readFile(join(folder.dir, name), 'utf8');
  expect(await read('b.md')).toContain('Do b');
  expect(JSON.parse(await read('manifest.json'))).toMatchObject({
    tasks: [{ id: 'a' }, { id: 'b', file: 'b.md', dependsOn: ['a'] }],
  });
});
