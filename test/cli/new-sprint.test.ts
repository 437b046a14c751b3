import { readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clifford } from '../helpers/clifford-process.ts';
import { eventsOf, freshSprint } from '../helpers/sprint-run.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

describe('clifford sprint new and task add', () => {
  it('make a sprint that can be run, in words of the command line and of stdin', async () => {
    const root = await tempRoot();
    const run = (args: readonly string[], input?: string) =>
      clifford(args, { cwd: root, ...(input === undefined ? {} : { input }) });
    expect(await run(['sprint', 'new', 'login', '--name', 'Log in'])).toMatchObject({
      code: 0,
      out: 'made sprints/login/manifest.json\n',
      err: '',
    });
    expect(await run(['task', 'add', 'form', 'Build the form'])).toMatchObject({
      code: 0,
      out: 'added task form to sprint login: sprints/login/form.md\n',
    });
    expect(
      (await run(['task', 'add', 'crypto', '-', '--depends-on', 'form'], '# Crypto\n\nlong\n')).code,
    ).toBe(0);

    const dir = join(root, 'sprints/login');
    expect(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'))).toEqual({
      id: 'login',
      name: 'Log in',
      status: 'pending',
      tasks: [
        { id: 'form', file: 'form.md', status: 'pending' },
        { id: 'crypto', file: 'crypto.md', status: 'pending', dependsOn: ['form'] },
      ],
    });
    expect(await readFile(join(dir, 'crypto.md'), 'utf8')).toBe('# Crypto\n\nlong\n');
    expect((await run(['sprint', 'new', 'login'])).err).toContain('Cannot make sprint login: ');
    await rename(dir, join(root, 'sprints/elsewhere'));
    expect((await run(['sprint', 'new', 'login'])).err).toContain(
      'sprints/elsewhere/manifest.json has that id',
    );
    for (const id of ['../x', 'My Sprint']) {
      const { code, err } = await run(['sprint', 'new', id]);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(`Cannot make sprint "${id}": as an id expected letters`),
      });
    }
  });

  it('make nothing where sprints/ leads out of the project', async () => {
    const [root, elsewhere] = [await tempRoot(), await tempRoot()];
    await symlink(elsewhere, join(root, 'sprints'));
    const { code, err } = await clifford(['sprint', 'new', 'login'], { cwd: root });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('it leads out of the project') });
    expect(await readdir(elsewhere)).toEqual(['.clifford']);
  });

  it('add to a sprint under way in its log, too, and leave the rest of its manifest as it was', async () => {
    const manifest = { owner: 'ada' };
    const { root, dir, project } = await projectWithSprint({ tasks: ['a'], manifest });
    const { code } = await clifford(['task', 'add', 'b', 'Do b'], { cwd: root });
    expect(code).toBe(0);
    expect((await eventsOf(project)).at(-1)).toMatchObject({
      type: 'sprint.amended',
      data: { tasks: [{ id: 'b', file: 'b.md' }] },
    });
    expect(await readFile(join(dir, 'manifest.json'), 'utf8')).toContain('"owner": "ada"');
  });

  it.each([
    [['a', 'text'], 'Cannot add task a: sprint demo already has a task with that id'],
    [['n'], 'n.md is missing, and no text was given'],
    [['n', 'text', '--file', 'a.md'], 'a.md is there already'],
    [
      ['n', 'text', '--file', '../../../n.md'],
      `Cannot add task "n": its file "../../../n.md" is not in the sprint's folder\n  Name a file from the sprint's folder: --file n.md\n`,
    ],
    [['n', 'text', '--file', '../n.md'], `"../n.md" is not in the sprint's folder`],
    [['n', 'text', '--file', '/nowhere/n.md'], '"/nowhere/n.md" is an absolute path'],
    [['n', 'text', '--file', '-'], '"-" is no name of a file'],
    [['n', 'text', '--file', 'part/'], '"part/" is no name of a file'],
    [['n', 'text', '--file', 'part/..'], '"part/.." is no name of a file'],
    [['n', 'text', '--file', 'a.md/n.md'], '"a.md/n.md" needs a folder where a.md is a file'],
    [['n', 'text', '--file', '.git/hooks/post-commit'], 'it is in .git'],
    [['n', 'text', '--file', 'mcp.json'], 'mcp.json configures Clifford'],
    [['n', 'text', '--file', 'part/manifest.json'], 'manifest.json configures Clifford'],
    [['n\nm', 'text'], 'Cannot add task "n\\nm" to sprint demo: expected 1 to 200 characters on one line'],
    [['Build the form', 'text'], 'an id has letters, digits, _, - or . and no blanks'],
    [['a/b', 'text'], 'Cannot add task "a/b" to sprint demo: an id has'],
    [['a..b', 'text'], 'an id has letters'],
    [['.a', 'text'], 'an id has letters'],
    [
      ['n', 'text', '--depends-on', 'x'],
      'Cannot add task "n" to sprint demo: task n depends on x, and no task has that id\n  Name tasks of the sprint with --depends-on: a\n',
    ],
  ])('refuse task add %j, and change nothing', async (args, reason) => {
    const { root, dir } = await projectWithSprint({ tasks: ['a'] });
    const before = await readFile(join(dir, 'manifest.json'), 'utf8');
    const { code, err } = await clifford(['task', 'add', ...args], { cwd: root });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) });
    expect(await readFile(join(dir, 'manifest.json'), 'utf8')).toBe(before);
    expect((await readdir(dir)).toSorted()).toEqual(['a.md', 'manifest.json']);
  });

  it('make the folders of the file below that of the sprint, and refuse one that a link leads out of it', async () => {
    const { root, dir } = await projectWithSprint({ tasks: ['a'] });
    expect(await clifford(['task', 'add', 'n', 'text', '--file', 'd/e/n.md'], { cwd: root })).toMatchObject({
      code: 0,
      out: 'added task n to sprint demo: sprints/demo/d/e/n.md\n',
    });
    expect(await readFile(join(dir, 'd/e/n.md'), 'utf8')).toBe('text\n');
    await symlink(root, join(dir, 'up'));
    const refused = [
      ['up/m.md', "leads out of the sprint's folder by a link"],
      ['d/e', 'is a folder'],
    ] as const;
    for (const [file, reason] of refused) {
      const { code, err } = await clifford(['task', 'add', 'm', '--file', file], { cwd: root });
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`"${file}" ${reason}`) });
    }
  });

  it('name a file of the manifest that leads out of the project', async () => {
    const { root } = await projectWithSprint({
      manifest: { tasks: [{ id: 'a', file: '../../../../etc/hostname' }] },
    });
    const remark = 'task a: ../../../../etc/hostname leads out of the project: its agent gets no text of it';
    for (const command of ['status', 'doctor']) {
      const { out, err } = await clifford([command], { cwd: root });
      expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toContain(remark);
    }
  });

  it('take a file that is there as it is', async () => {
    const { root, dir } = await projectWithSprint({ tasks: ['a'] });
    await writeFile(join(dir, 'own.md'), 'mine');
    expect((await clifford(['task', 'add', 'own'], { cwd: root })).code).toBe(0);
    expect(await readFile(join(dir, 'own.md'), 'utf8')).toBe('mine');
  });
});

it('clifford --version -v says what a bug report needs', async () => {
  const { code, out } = await clifford(['--version', '-v'], { cwd: await tempRoot() });
  expect(code).toBe(0);
  const names = out.split('\n').map((line) => line.split(' ')[0]);
  expect(names).toEqual(['clifford', 'node', 'platform', 'log', 'agents', '']);
});

it('clifford task add takes no empty task', async () => {
  const { root } = await freshSprint();
  const { code, err } = await clifford(['task', 'add', 'x', ' '], { cwd: root });
  expect(code).toBe(2);
  expect(err).toBe(
    'clifford: Cannot add task x: what is to be done is empty\n' +
      '  Say it in words, or leave it out where the file is there already\n',
  );
});
