import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TemporaryEdits } from '../../../src/runner/temporary-edits/temporary-edits.ts';
import { changesOfTask } from '../../../src/workflow/commit/changes-of-task.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../../src/workflow/commit/snapshot.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

const agent = { id: 'session-1', client: 'opencode' };
const begin = (project: Project) =>
  setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });

/** A project with a sprint in a repository; its files are committed. */
async function repository() {
  const { root, project } = await projectWithSprint();
  makeRepository(root);
  const git = gitIn(root);
  git.write({ 'old.txt': 'one\ntwo\nthree\n', 'gone.txt': 'gone\n', '.gitignore': 'ignored\n' });
  git.commitAll();
  const changes = (task = 'a') => changesOfTask(project, { stream: 'demo', task });
  const snapshot = async () => {
    const { signal } = new AbortController();
    const place = { root, signal, currentEdits: () => new Map<string, string>(), task: 'a' };
    const taken = await takeSnapshot(new Git({ cwd: root, env: {}, signal }), place);
    await new WorkTreeSnapshots(project.dir, 'demo').write(taken);
  };
  return { root, project, git, changes, snapshot };
}

/** The files in short: `changed old.txt +1 −1`. */
function inShort({ files }: Awaited<ReturnType<typeof changesOfTask>>): string[] {
  return files
    .filter(({ path }) => !path.startsWith('sprints/'))
    .map(({ how, path, lines }) => `${how} ${path}${lines ? ` +${lines.added} −${lines.removed}` : ''}`);
}

describe('the changes of a task', () => {
  it('are those of its commit, whatever was changed since', async () => {
    const { project, git, changes } = await repository();
    git.write({ 'old.txt': 'one\n2\nthree\n', 'new.txt': 'new\n' });
    git('rm', '--quiet', 'gone.txt');
    git.commitAll('the task');
    const sha = git('rev-parse', 'HEAD');
    git.write({ 'old.txt': 'later\n' });
    await project.record('demo', [on('demo/a', 'task.committed', { sha, files: ['old.txt'] })]);
    const found = await changes();
    expect(found.from).toEqual({ sha });
    expect(inShort(found)).toEqual([
      'removed gone.txt +0 −1',
      'added new.txt +1 −0',
      'changed old.txt +1 −1',
    ]);
    expect(found.files.find(({ path }) => path === 'old.txt')?.patch).toBe(
      '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    );
  });

  it('are those of the working tree while it is at work, with new files, without ignored ones', async () => {
    const { project, git, changes } = await repository();
    await begin(project);
    git.write({ 'old.txt': 'one\n2\nthree\n', 'new/file.txt': 'a\nb', ignored: 'x\n' });
    const found = await changes();
    expect(found.from).toBe('since-commit');
    expect(inShort(found)).toEqual(['changed old.txt +1 −1', 'added new/file.txt +2 −0']);
    expect(found.files.find(({ path }) => path === 'new/file.txt')?.patch).toBe(
      '@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
    );
  });

  it('leave out files that Clifford alone has changed for a run, and say where somebody else has, too', async () => {
    const { root, project, git, changes } = await repository();
    git.write({ '.theirs/mcp.json': '{ "mcpServers": {} }\n' });
    git.commitAll();
    await begin(project);
    const edits = new TemporaryEdits(project.dir, () => undefined);
    const entry = { keys: ['mcpServers', 'clifford'], value: { command: 'clifford' } };
    const paths = ['.theirs/mcp.json', '.new/mcp.json'].map((path) => join(root, path));
    await edits.apply(
      'run-1',
      paths.map((path) => ({ path, ...entry })),
    );
    expect(readFileSync(paths[0] ?? '', 'utf8')).toContain('"command"');
    expect(inShort(await changes())).toEqual([]);
    writeFileSync(paths[1] ?? '', readFileSync(paths[1] ?? '', 'utf8').replace('{', '{ "more": 1,'));
    const { files } = await changes();
    expect(files.filter(({ path }) => path.includes('mcp.json'))).toMatchObject([
      {
        path: '.new/mcp.json',
        note: 'Clifford has an entry of its own in it while an agent runs, which is shown, too',
      },
    ]);
    await edits.undoAll();
    expect(inShort(await changes())).toEqual(['added .new/mcp.json +2 −0']);
  });

  it.each(['with', 'without'])(
    'leave out what Clifford writes, %s a look at how it was before',
    async (has) => {
      const { root, project, git, changes, snapshot } = await repository();
      const manifest = join(root, 'sprints/demo/manifest.json');
      git.write({ 'sprints/other/manifest.json': '{"id":"other","status":"pending","tasks":[]}' });
      git.commitAll();
      if (has === 'with') await snapshot();
      await begin(project);
      await expect.poll(() => readFileSync(manifest, 'utf8')).toContain('"active"');
      git.write({
        '.clifford/note.txt': 'x\n',
        'sprints/other/manifest.json': '{"id":"other","status":"active","tasks":[]}',
      });
      const paths = async () => (await changes()).files.map(({ path }) => path);
      expect(await paths()).toEqual([]);
      git.write({ 'sprints/third/manifest.json': '{"id":"third","tasks":[]}' });
      expect(await paths()).toEqual(['sprints/third/manifest.json']);
      // What is more than a status is somebody's work.
      writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('Sprint demo', 'Another name'));
      expect(await paths()).toEqual(['sprints/demo/manifest.json', 'sprints/third/manifest.json']);
    },
  );

  it('leave out the manifest that no commit has', async () => {
    const { root, project } = await projectWithSprint();
    const git = makeRepository(root);
    git.write({ 'old.txt': 'one\n' });
    git('add', 'old.txt');
    git('commit', '--quiet', '-m', 'first');
    await begin(project);
    git.write({ 'new.txt': 'new\n' });
    const { files } = await changesOfTask(project, { stream: 'demo', task: 'a' });
    expect(files.map(({ path }) => path)).toEqual(['new.txt', 'sprints/demo/a.md', 'sprints/demo/b.md']);
  });

  it('leave out what the user had changed before it began', async () => {
    const { project, git, changes, snapshot } = await repository();
    git.write({ 'old.txt': 'the user\n', 'mine.txt': 'mine\n', 'both.txt': 'mine\n' });
    await snapshot();
    await begin(project);
    git.write({ 'both.txt': 'mine\ntheirs\n', 'new.txt': 'new\n' });
    const found = await changes();
    expect(found.from).toBe('since-begin');
    expect(inShort(found)).toEqual(['added both.txt +2 −0', 'added new.txt +1 −0']);
    expect(found.files.find(({ path }) => path === 'both.txt')?.note).toMatch(/^It had changes before/);
  });

  it('count what its agent has committed by itself since it began', async () => {
    const { project, git, changes, snapshot } = await repository();
    await snapshot();
    await begin(project);
    git.write({ 'old.txt': 'one\n' });
    git.commitAll('by the agent');
    expect(inShort(await changes())).toEqual(['changed old.txt +0 −2']);
  });

  it('are told of a repository without any commit', async () => {
    const { root, project } = await projectWithSprint();
    makeRepository(root).write({ 'new.txt': 'new\n' });
    await begin(project);
    expect(inShort(await changesOfTask(project, { stream: 'demo', task: 'a' }))).toContain(
      'added new.txt +1 −0',
    );
  });

  it('say what they do not show, and why', async () => {
    const { root, project, git, changes } = await repository();
    git.write({ 'tracked.bin': 'a\0b', 'run.sh': 'x\n', 'long.txt': 'x\n', 'now-a-link': 'file\n' });
    git.commitAll();
    await begin(project);
    git.write({ 'tracked.bin': 'a\0c', 'new.bin': '\0', empty: '', 'huge.txt': 'x'.repeat(1_000_001) });
    git.write({ 'long.txt': 'y\n'.repeat(60_000), 'after.txt': 'y\n' });
    chmodSync(join(root, 'run.sh'), 0o755);
    symlinkSync('/etc/passwd', join(root, 'link'));
    rmSync(join(root, 'now-a-link'));
    symlinkSync('old.txt', join(root, 'now-a-link'));
    const { files } = await changes();
    const notes = Object.fromEntries(files.map(({ path, note, patch }) => [path, note ?? patch]));
    expect(notes).toMatchObject({
      'tracked.bin': 'Not a text: nothing of it is shown',
      'new.bin': 'Not a text: nothing of it is shown',
      empty: 'It is empty',
      'huge.txt': expect.stringMatching(/^Not shown: /),
      'long.txt': 'Its differences are too long to be shown here',
      'run.sh': 'Permissions: 644 before, 755 now',
      link: 'Not shown: it is a symbolic link',
      'after.txt': '@@ -0,0 +1,1 @@\n+y\n',
      'now-a-link': '@@ -1 +0,0 @@\n-file\n@@ -0,0 +1 @@\n+old.txt\n\\ No newline at end of file\n',
    });
  });

  it('have each difference beside its own file, whatever their names and lines are', async () => {
    const { project, git, changes } = await repository();
    const names = ['a\nb.txt', 'diff --git a', '-p', ':(top)x', '*.txt', 'tab\tname', '"quoted"', 'ünï'];
    git.write(Object.fromEntries(names.map((name) => [name, 'diff --git a/x b/x\nold\n'])));
    git.commitAll();
    await begin(project);
    git.write(Object.fromEntries(names.map((name, at) => [name, `diff --git a/x b/x\n${at}\n`])));
    const { files } = await changes();
    for (const [at, name] of names.entries())
      expect(files.find(({ path }) => path === name)?.patch).toContain(`-old\n+${at}\n`);
  });

  it('show a conflict with its marks', async () => {
    const { project, git, changes } = await repository();
    git('checkout', '--quiet', '-b', 'other');
    git.write({ 'old.txt': 'theirs\n' });
    git.commitAll();
    git('checkout', '--quiet', 'main');
    git.write({ 'old.txt': 'ours\n' });
    git.commitAll();
    await begin(project);
    expect(() => git('merge', 'other')).toThrow('Command failed');
    expect((await changes()).files.filter(({ path }) => path === 'old.txt')).toEqual([
      expect.objectContaining({ how: 'changed', patch: expect.stringContaining('+<<<<<<< HEAD\n') }),
    ]);
  });

  it('run nothing that the configuration of the repository names', async () => {
    const { root, project, git, changes } = await repository();
    const trace = join(root, '.clifford/ran');
    const program = join(root, '.git/evil');
    writeFileSync(program, `#!/bin/sh\necho ran >> '${trace}'\ncat\n`, { mode: 0o755 });
    for (const name of ['odd', 'a=b'])
      for (const kind of ['clean', 'process', 'smudge']) git('config', `filter.${name}.${kind}`, program);
    git('config', 'filter.odd.required', 'true');
    git('config', 'diff.odd.textconv', program);
    git('config', 'diff.odd.command', program);
    git('config', 'diff.external', program);
    git('config', 'core.fsmonitor', program);
    await begin(project);
    git.write({
      '.gitattributes': 'old.txt filter=odd diff=odd\ngone.txt filter=a=b diff=odd\n',
      'old.txt': 'x\n',
      'gone.txt': 'y\n',
    });
    expect(inShort(await changes())).toContain('changed old.txt +1 −3');
    expect(existsSync(trace)).toBe(false);
  });

  it.each([
    ['is in no repository', 'in no git repository', false, undefined],
    ['has not begun', 'it has not begun', true, undefined],
    ['names no commit', 'names no commit of it that git could have', true, '--output=x'],
    ['names a commit that is not there', 'is not in this repository', true, 'abcdef0123456789'],
  ])('are not told where it %s', async (_, message, isRepository, sha) => {
    const { root, project } = await projectWithSprint();
    if (isRepository) makeRepository(root);
    if (sha !== undefined)
      await project.record('demo', [on('demo/a', 'task.committed', { sha, files: ['old.txt'] })]);
    await expect(changesOfTask(project, { stream: 'demo', task: 'a' })).rejects.toThrow(message);
  });

  it('are those that are in no commit, of a task that is over and has none', async () => {
    const { project, git, changes } = await repository();
    await begin(project);
    git.commitAll();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
    await expect(changes()).rejects.toThrow('it has no commit, and nothing has changed since the last one');
    git.write({ 'old.txt': 'one\n2\nthree\n', 'new.txt': 'new\n' });
    const found = await changes();
    expect(found.from).toBe('uncommitted');
    expect(inShort(found)).toEqual(['changed old.txt +1 −1', 'added new.txt +1 −0']);
  });

  it('are none that another task may have made as well, and which that is, is said', async () => {
    const { project, git, changes } = await repository();
    for (const taskId of ['a', 'b']) {
      await setTaskStatus(project, { stream: 'demo', taskId, status: 'active', agent });
      await setTaskStatus(project, { stream: 'demo', taskId, status: 'completed', agent });
    }
    git.commitAll();
    git.write({ 'new.txt': 'new\n' });
    await expect(changes('b')).rejects.toThrow(
      'nothing is known to be its own: it made no commit, and a may have changed the file that is in no commit',
    );
  });

  it('are not those that another task has committed since it began, unless they were changed again', async () => {
    const { project, git, changes, snapshot } = await repository();
    await begin(project);
    await snapshot();
    git.write({ 'theirs.txt': 'theirs\n', 'shared.txt': 'theirs\n' });
    git.commitAll();
    const sha = git('rev-parse', 'HEAD').trim();
    await project.record('demo', [
      on('demo/b', 'task.committed', { sha, files: ['theirs.txt', 'shared.txt'] }),
    ]);
    git.write({ 'own.txt': 'own\n', 'shared.txt': 'changed\n' });
    expect(inShort(await changes())).toEqual(['added shared.txt +1 −0', 'added own.txt +1 −0']);
  });

  it('say why there is no commit of a task that is done', async () => {
    const { project, changes } = await repository();
    await project.record('demo', [on('demo/a', 'task.uncommitted', { reason: 'HEAD is detached' })]);
    await expect(changes()).rejects.toThrow('it has no commit: HEAD is detached');
  });
});
