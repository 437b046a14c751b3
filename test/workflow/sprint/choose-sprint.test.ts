import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSprintFolder, enterChosenSprint } from '../../../src/workflow/sprint/choose-sprint.ts';
import { cancelSprint } from '../../../src/workflow/sprint/control.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../../helpers/temp-project.ts';

const doneTasks = { tasks: [{ id: 'a', file: 'a.md', status: 'completed' }] };

describe('the sprint to run without a name', () => {
  it('is the only one that is not finished, whether the log knows it or not', async () => {
    const { root, project, stream } = await projectWithSprint();
    await writeSprint(root, { id: 'old', manifest: doneTasks });
    expect((await chooseSprintFolder(project, undefined)).manifest.id).toBe('demo');

    await cancelSprint(project, { stream, by: 'me' });
    await writeSprint(root, { id: 'next' });
    expect((await chooseSprintFolder(project, undefined)).manifest.id).toBe('next');
  });

  it('has to be named when several are unfinished', async () => {
    const { root, project } = await projectWithSprint();
    await writeSprint(root, { id: 'next' });
    await expect(chooseSprintFolder(project, undefined)).rejects.toMatchObject({
      code: 'SPRINT_UNCLEAR',
      recovery: 'fix-input',
      message: 'Cannot tell which sprint is meant: several are unfinished: demo, next',
    });
  });

  it('is of several the only one that has the task that is named', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await writeSprint(root, { id: 'next', tasks: ['b', 'c'] });
    expect(await enterChosenSprint(project, undefined, { task: 'a' })).toBe('demo');
    expect(await enterChosenSprint(project, undefined, { task: 'c' })).toBe('next');
    // What is decided on it next finds it in the log.
    expect(project.state.streams.get('next')?.tasks.has('c')).toBe(true);
    expect((await chooseSprintFolder(project, undefined, { task: 'c' })).manifest.id).toBe('next');
    const unclear = (task: string) => chooseSprintFolder(project, undefined, { task });
    await expect(unclear('b')).rejects.toThrow('several have a task b: demo, next');
    await expect(unclear('d')).rejects.toThrow('several are unfinished, and none has a task d: demo, next');
  });

  it('does not exist when all are finished', async () => {
    const root = await tempRoot();
    await writeSprint(root, { manifest: doneTasks });
    const project = await openTestProject(root);
    await expect(chooseSprintFolder(project, undefined)).rejects.toMatchObject({
      code: 'SPRINT_UNCLEAR',
      message: 'Cannot find a sprint that is not done: sprint demo is done',
    });
  });

  it('has to be named where the manifest of another cannot be read, unless that one is over', async () => {
    const { root, dir, project, stream } = await projectWithSprint();
    const next = await writeSprint(root, { id: 'next' });
    await writeFile(join(next, 'manifest.json'), '{');
    await expect(chooseSprintFolder(project, undefined)).rejects.toMatchObject({
      code: 'SPRINT_UNCLEAR',
      message: expect.stringMatching(
        /^Cannot tell which sprint is meant: demo, or the one in next: Cannot read manifest .*next\/manifest\.json:1:/,
      ),
      sprints: ['demo'],
    });
    expect((await chooseSprintFolder(project, 'demo')).manifest.id).toBe('demo');
    expect((await chooseSprintFolder(project, undefined, { task: 'a' })).manifest.id).toBe('demo');

    await writeSprint(root, { id: 'next' });
    await cancelSprint(project, { stream, by: 'me' });
    await writeFile(join(dir, 'manifest.json'), '{');
    expect((await chooseSprintFolder(project, undefined)).manifest.id).toBe('next');
  });

  it('is the one whose manifest is wrong when no other is left', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root);
    await writeFile(join(dir, 'manifest.json'), '{');
    const project = await openTestProject(root);
    await expect(chooseSprintFolder(project, undefined)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
  });
});

it('a sprint whose folder is gone cannot be run', async () => {
  const { dir, project } = await projectWithSprint();
  await rm(dir, { recursive: true });
  await expect(chooseSprintFolder(project, undefined)).rejects.toMatchObject({
    code: 'SPRINT_FOLDER_GONE',
    message: 'Cannot run sprint demo: sprints/demo/manifest.json is missing',
    recovery: 'fix-input',
  });
});

describe('a sprint under way whose manifest has a mistake', () => {
  it.each([
    ['no JSON', '{\n  "id": "demo",\n  "tasks": [}\n', ':3:13: it is not JSON: unexpected }'],
    [
      'a value of the wrong type',
      '{\n  "id": "demo",\n  "tasks": [{ "id": "a", "file": 7 }]\n}',
      ':3:34: tasks[0].file: must be a text (it is a number)',
    ],
    [
      'a task without a file',
      '{\n  "id": "demo",\n  "tasks": [{ "id": "a" }]\n}',
      ':3:13: tasks[0].file is missing (expected a text)',
    ],
  ])('is said to have it, with file, line and column: %s', async (_, text, reason) => {
    const { dir, project } = await projectWithSprint();
    await writeFile(join(dir, 'manifest.json'), text);
    for (const name of ['demo', undefined]) {
      await expect(chooseSprintFolder(project, name)).rejects.toMatchObject({
        code: 'MANIFEST_INVALID',
        message: `Cannot read manifest ${join(dir, 'manifest.json')}${reason}`,
      });
    }
  });

  it('is not said to be gone when its id was changed', async () => {
    const { root, project } = await projectWithSprint();
    await writeSprint(root, { manifest: { id: 'demmo' } });
    await expect(chooseSprintFolder(project, 'demo')).rejects.toMatchObject({
      message: 'Cannot run sprint demo: sprints/demo/manifest.json now has the id demmo',
      fix: 'Give the manifest its id demo back',
    });
  });
});

it('a cancelled sprint stays finished, whatever its manifest gains', async () => {
  const { root, project, stream } = await projectWithSprint();
  await cancelSprint(project, { stream, by: 'me' });
  await writeSprint(root, { tasks: ['a', 'b', 'c'] });
  await expect(chooseSprintFolder(project, undefined)).rejects.toThrow('sprint demo is done');
});

it('the sprint to run may be a finished one when it is named', async () => {
  const root = await tempRoot();
  await writeSprint(root, { manifest: doneTasks });
  const project = await openTestProject(root);
  expect((await chooseSprintFolder(project, 'demo')).manifest.id).toBe('demo');
});
