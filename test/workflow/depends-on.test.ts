import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSprintFolder } from '../../src/workflow/sprint/choose-sprint.ts';
import { parseManifest } from '../../src/workflow/sprint/manifest.ts';
import { openSprint } from '../../src/workflow/sprint/open-sprint.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';

/** A manifest whose tasks depend on others: `{ a: ['b'] }`. */
const manifest = (order: Record<string, readonly unknown[]>) =>
  JSON.stringify({
    id: 's',
    tasks: Object.entries(order).map(([id, dependsOn]) => ({ id, file: `${id}.md`, dependsOn })),
  });

describe('what the tasks of a manifest depend on', () => {
  it.each([
    ['itself', { a: [], b: ['b'] }, 'task b depends on itself'],
    ['a task that is not there', { a: [], b: ['a', 'x'] }, 'task b depends on x, and no task has that id'],
    [
      'each other',
      { a: ['b'], b: ['a'] },
      'circular dependencies, so none of these tasks can start: a → b → a',
    ],
    [
      'each other in the end',
      { z: ['a'], a: ['b'], b: ['c'], c: ['d', 'a'], d: [] },
      'circular dependencies, so none of these tasks can start: a → b → c → a',
    ],
  ])('may not be %s: file, tasks and rule are named', (_, order, rule) => {
    expect(() => parseManifest(manifest(order), '/p/manifest.json')).toThrow(
      expect.objectContaining({
        code: 'MANIFEST_INVALID',
        message: `Cannot read manifest /p/manifest.json: ${rule}`,
        fix: expect.stringContaining('dependsOn'),
      }),
    );
  });

  it('may be the same task for several, in any order, and a number where ids are numbers', () => {
    const order = {
      top: ['left', 'right'],
      left: ['base'],
      right: ['base', 'left'],
      base: [],
      1: [],
      last: [1],
    };
    expect(parseManifest(manifest(order), 'p').tasks).toHaveLength(6);
  });

  it('may be a long chain', () => {
    const chain = Array.from({ length: 2_000 }, (_, number) => [`t${number}`, [`t${number + 1}`]]);
    const order = Object.fromEntries([...chain, ['t2000', []]]);
    expect(parseManifest(manifest(order), 'p').tasks).toHaveLength(2_001);
  });

  it('is checked before a run begins', async () => {
    const root = await tempRoot();
    const tasks = [{ id: 'a', file: 'a.md', dependsOn: ['a'] }];
    await writeSprint(root, { manifest: { tasks } });
    await expect(chooseSprintFolder(await openTestProject(root), undefined)).rejects.toThrow(
      'task a depends on itself',
    );
  });

  it('is checked when a sprint that is under way gains tasks', async () => {
    const { root, dir, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const file = join(dir, 'manifest.json');
    const before: { tasks: object[] } = JSON.parse(await readFile(file, 'utf8'));
    const gain = (...dependsOn: string[]) =>
      writeFile(
        file,
        JSON.stringify({ ...before, tasks: [...before.tasks, { id: 'b', file: 'b.md', dependsOn }] }),
      );
    await gain('a', 'c');
    await expect(openSprint(project, dir)).rejects.toThrow('task b depends on c, and no task has that id');
    expect([...(project.state.streams.get(stream)?.tasks.keys() ?? [])]).toEqual(['a']);

    await gain('a');
    await openSprint(project, join(root, 'sprints/demo'));
    expect(project.state.streams.get(stream)?.tasks.get('b')?.dependsOn).toEqual(['a']);
  });
});
