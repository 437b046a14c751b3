import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import { cancelSprint } from '../../../src/workflow/sprint/control.ts';
import { enterSprint } from '../../../src/workflow/sprint/enter-sprint.ts';
import { loadManifest, parseManifest } from '../../../src/workflow/sprint/manifest.ts';
import { findProjectRoot, requireProjectRoot } from '../../../src/workflow/project/project-root.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../../helpers/temp-project.ts';

const find = async (root: string, name: string) => findSprintFolder(await listSprintFolders(root), name);

describe('a sprint', () => {
  it('is found by its id or its folder, in sprints/ and in .clifford/sprints/', async () => {
    const root = await tempRoot();
    await writeSprint(root, { id: 'one' });
    await writeSprint(join(root, '.clifford'), { id: 'folder', manifest: { id: 'two' } });
    expect((await find(root, 'one')).dir).toBe(join(root, 'sprints', 'one'));
    expect((await find(root, 'two')).dir).toBe(join(root, '.clifford', 'sprints', 'folder'));
    expect((await find(root, 'folder')).manifest.id).toBe('two');
  });

  it('that is unknown is named with those that are known', async () => {
    const root = await tempRoot();
    await expect(find(root, 'nope')).rejects.toMatchObject({
      code: 'SPRINT_UNKNOWN',
      recovery: 'fix-input',
      message: 'Cannot find sprint nope: the project has none',
    });
    await writeSprint(root, { id: 'one' });
    await expect(find(root, 'nope')).rejects.toThrow('the known ones are one');
  });

  it('that is broken does not hide the others, and says why when it is meant', async () => {
    const root = await tempRoot();
    await writeSprint(root, { id: 'good' });
    await writeFile(join(await writeSprint(root, { id: 'bad' }), 'manifest.json'), '{ nope');
    expect((await find(root, 'good')).manifest.id).toBe('good');
    await expect(find(root, 'bad')).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('not JSON'),
    });
  });

  it('shares its id with no other', async () => {
    const root = await tempRoot();
    await writeSprint(root, { id: 'one' });
    await writeSprint(root, { id: 'two', manifest: { id: 'one' } });
    await expect(find(root, 'one')).rejects.toMatchObject({
      code: 'SPRINT_AMBIGUOUS',
      recovery: 'fix-input',
    });
  });
});

describe('a manifest', () => {
  const manifest = (change: object) =>
    JSON.stringify({
      id: 's',
      name: 'S',
      status: 'pending',
      tasks: [{ id: 'a', file: 'a.md', status: 'pending' }],
      ...change,
    });

  it.each([
    ['lacks tasks', manifest({ tasks: undefined }), 'tasks'],
    [
      'has a task twice',
      manifest({
        tasks: [
          { id: 'a', file: 'a' },
          { id: 'a', file: 'b' },
        ],
      }),
      'tasks[1].id: a appears twice',
    ],
    [
      'misspells the file of a task',
      manifest({ tasks: [{ id: 'a', fiel: 'a.md' }] }),
      'tasks[0].file is missing (expected a text), and "fiel" is no key of it; did you mean "file"?',
    ],
    [
      'misspells its tasks',
      manifest({ tasks: undefined, task: [] }),
      'tasks is missing (expected a list), and "task" is no key of it; did you mean "tasks"?',
    ],
    [
      'misspells the id of a task',
      manifest({ tasks: [{ idd: 'a', file: 'a.md' }] }),
      'tasks[0].id is missing, and "idd" is no key of it; did you mean "id"?',
    ],
    [
      'has an unknown status',
      manifest({ status: 'doing' }),
      'status: must be one of "pending", "active", "blocked", "completed", "pushed"',
    ],
    ['has an id that is no stream', manifest({ id: 'a b' }), 'id: expected letters, digits, _ or -'],
    ['claims the stream adhoc', manifest({ id: 'adhoc' }), 'adhoc is the name of another stream'],
    ['is a list', '[]', 'the file must be an object (it is a list)'],
    ['is not JSON', '{', 'it is not JSON'],
  ])('that %s is refused in one line', (_what, text, reason) => {
    let message = '';
    try {
      parseManifest(text, '/p/manifest.json');
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(/^Cannot read manifest \/p\/manifest\.json:1:\d+: /);
    expect(message).toContain(reason);
    expect(message).not.toContain('\n');
  });

  it('of another tool loads unchanged: a byte order mark, numbers as ids, unknown fields', () => {
    const text = `\uFEFF${manifest({ owner: 'x', tasks: [{ id: 1, file: 'a.md', status: 'pushed', points: 3 }] })}`;
    expect(parseManifest(text, 'p')).toMatchObject({
      owner: 'x',
      tasks: [{ id: '1', status: 'pushed', points: 3 }],
    });
  });

  it('that is there and cannot be read is not called missing', async () => {
    const root = await tempRoot();
    await expect(loadManifest(root)).rejects.toMatchObject({
      code: 'MANIFEST_INVALID',
      message: expect.stringContaining('it is a folder'),
    });
  });

  it('that is a named pipe is refused, not waited for', async () => {
    const pipe = join(await tempRoot(), 'manifest.json');
    execFileSync('mkfifo', [pipe]);
    await expect(loadManifest(pipe)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
  });

  it('that is missing is named', async () => {
    await expect(loadManifest('/nowhere/manifest.json')).rejects.toMatchObject({
      message: 'Sprint manifest not found at /nowhere/manifest.json',
    });
  });
});

describe('entering a sprint', () => {
  const tasks = ['completed', 'pushed', 'active', 'blocked', 'pending'].map((status) => ({
    id: status,
    file: 'x.md',
    status,
  }));

  it('takes what the manifest says is done for done, and the rest for pending', async () => {
    const { project } = await projectWithSprint({ manifest: { tasks } });
    const names = [...(project.state.streams.get('demo')?.tasks.values() ?? [])].map(({ machine }) =>
      nameOf(machine.value),
    );
    expect(names).toEqual(['done.completed', 'done.completed', 'pending', 'pending', 'pending']);
  });

  it.each(['completed', 'pushed'])(
    'that is %s, with all its tasks, leaves its manifest as it is',
    async (status) => {
      const done = { status, tasks: tasks.filter((task) => ['completed', 'pushed'].includes(task.status)) };
      const { root, dir, project } = await projectWithSprint({ manifest: done });
      expect(nameOf(project.state.streams.get('demo')?.machine.value ?? '')).toBe('done.completed');
      expect(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'))).toMatchObject(done);

      done.tasks.push({ id: 'more', file: 'x.md', status: 'pushed' });
      await writeFile(join(dir, 'manifest.json'), JSON.stringify({ id: 'demo', ...done }));
      const sprint = await enterSprint(project, await find(root, 'demo'));
      expect(nameOf(sprint.machine.value)).toBe('done.completed');
      expect(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'))).toMatchObject(done);
    },
  );

  it('that is completed there while a task is not enters as pending', async () => {
    const { project } = await projectWithSprint({ manifest: { status: 'completed', tasks } });
    expect(nameOf(project.state.streams.get('demo')?.machine.value ?? '')).toBe('pending');
  });

  it('again adds only tasks the manifest gained', async () => {
    const { root, dir, project } = await projectWithSprint();
    const before = project.state.streams.get('demo')?.version;
    await enterSprint(project, await find(root, 'demo'));
    expect(project.state.streams.get('demo')?.version).toBe(before);

    const path = join(dir, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.tasks.push({ id: 'c', file: 'c.md', status: 'completed' });
    await writeFile(path, JSON.stringify(manifest));
    const sprint = await enterSprint(project, await find(root, 'demo'));
    expect([...sprint.tasks.keys()]).toEqual(['a', 'b', 'c']);
    expect(nameOf(sprint.tasks.get('c')?.machine.value ?? '')).toBe('done.completed');
  });

  it('again does not take a sprint for done that is not, whatever its manifest says', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    const done = (id: string) => ({ id, file: 'x.md', status: 'completed' });
    await writeSprint(root, { manifest: { status: 'completed', tasks: [done('a'), done('b')] } });
    const sprint = await enterSprint(project, await find(root, 'demo'));
    expect(nameOf(sprint.machine.value)).toBe('pending');
    expect(nameOf(sprint.tasks.get('a')?.machine.value ?? '')).toBe('pending');
  });

  it('is refused under another id while the sprint is under way', async () => {
    const { root, project } = await projectWithSprint();
    await writeSprint(root, { manifest: { id: 'other' } });
    const folder = await find(root, 'other');
    await expect(enterSprint(project, folder)).rejects.toMatchObject({
      code: 'SPRINT_RENAMED',
      recovery: 'fix-input',
    });
    await cancelSprint(project, { stream: 'demo', by: 'me' });
    expect((await enterSprint(project, folder)).id).toBe('other');
  });

  it('happens once when two processes do it', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    const folder = await find(root, 'demo');
    const projects = [await openTestProject(root), await openTestProject(root)];
    const sprints = await Promise.all(projects.map((project) => enterSprint(project, folder)));
    expect(sprints.map(({ version }) => version)).toEqual([1, 1]);
  });
});

describe('the project root', () => {
  it('is what the environment says, else the nearest .clifford/, else the git root, else here', async () => {
    const root = await tempRoot();
    const deep = join(root, 'x', 'y');
    await mkdir(deep, { recursive: true });
    expect(findProjectRoot({ env: { CLIFFORD_PROJECT_ROOT: 'x' }, cwd: root })).toBe(join(root, 'x'));
    expect(findProjectRoot({ env: {}, cwd: deep })).toBe(root);
    await rm(join(root, '.clifford'), { recursive: true });
    await mkdir(join(root, 'x', '.git'));
    expect(findProjectRoot({ env: {}, cwd: deep })).toBe(join(root, 'x'));
    await rm(join(root, 'x', '.git'), { recursive: true });
    expect(findProjectRoot({ env: {}, cwd: deep })).toBe(deep);
  });

  it('has to exist where a project is needed', async () => {
    const root = await tempRoot();
    expect(requireProjectRoot({ env: {}, cwd: root })).toBe(root);
    expect(() => requireProjectRoot({ env: {}, cwd: dirname(root) })).toThrow('no .clifford/ in');
    expect(() => requireProjectRoot({ env: { CLIFFORD_PROJECT_ROOT: '/nowhere' }, cwd: root })).toThrow(
      'is not a folder',
    );
  });
});
