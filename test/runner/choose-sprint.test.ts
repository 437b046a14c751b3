import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSprint } from '../../src/runner/choose-sprint.ts';
import { cancelSprint } from '../../src/workflow/control.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';

const doneTasks = { tasks: [{ id: 'a', file: 'a.md', status: 'completed' }] };

describe('the sprint to run without a name', () => {
  it('is the only one that is not finished, whether the log knows it or not', async () => {
    const { root, project, stream } = await projectWithSprint();
    await writeSprint(root, { id: 'old', manifest: doneTasks });
    expect((await chooseSprint(project, undefined)).manifest.id).toBe('demo');

    await cancelSprint(project, { stream, by: 'me' });
    await writeSprint(root, { id: 'next' });
    expect((await chooseSprint(project, undefined)).manifest.id).toBe('next');
  });

  it('has to be named when several are unfinished', async () => {
    const { root, project } = await projectWithSprint();
    await writeSprint(root, { id: 'next' });
    await expect(chooseSprint(project, undefined)).rejects.toMatchObject({
      code: 'SPRINT_UNCLEAR',
      recovery: 'fix-input',
      message: 'Cannot tell which sprint to run: unfinished are demo, next',
    });
  });

  it('does not exist when all are finished', async () => {
    const root = await tempRoot();
    await writeSprint(root, { manifest: doneTasks });
    const project = await openTestProject(root);
    await expect(chooseSprint(project, undefined)).rejects.toMatchObject({
      code: 'SPRINT_NONE',
      message: 'Cannot find a sprint to run: all are finished',
    });
  });

  it('is the one whose manifest is wrong when no other is left', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root);
    await writeFile(join(dir, 'manifest.json'), '{');
    const project = await openTestProject(root);
    await expect(chooseSprint(project, undefined)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
  });
});

it('the sprint to run may be a finished one when it is named', async () => {
  const root = await tempRoot();
  await writeSprint(root, { manifest: doneTasks });
  const project = await openTestProject(root);
  expect((await chooseSprint(project, 'demo')).manifest.id).toBe('demo');
});
