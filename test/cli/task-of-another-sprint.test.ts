import { expect, it } from 'vitest';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, writeSprint } from '../helpers/temp-project.ts';

it.each([
  [['task', 'changes', 'form']],
  [['note', 'form', 'Use the helpers']],
  [['retry', 'form']],
  [['skip', 'form']],
  [['export', 'form']],
])('%j says which sprint has the task', async (args) => {
  const { root, project } = await projectWithSprint({ id: 'login', tasks: ['form'] });
  await project.dispatch('login', () => [
    { type: 'sprint.cancelled', subject: 'login', data: { by: 'ada' } },
  ]);
  await writeSprint(root, { id: 'example', tasks: ['look', 'ask'] });
  await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'example'));
  const { code, err } = await clifford(args, { cwd: root });
  expect(code).not.toBe(0);
  expect(err).toContain('\n  form is in login: --sprint login\n');
});
