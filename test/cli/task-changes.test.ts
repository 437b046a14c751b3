import { beforeEach, describe, expect, it } from 'vitest';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

/** A task that is at work in a repository, and has changed files. */
async function atWork() {
  const { root, project } = await projectWithSprint();
  const git = makeRepository(root);
  git.write({ 'src/parser.ts': 'one\ntwo\n' });
  git.commitAll();
  const agent = { id: 'session-1', client: 'opencode' };
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.commitAll();
  git.write({ 'src/parser.ts': 'one\n2\u001B[2J\n', 'new.ts': 'new\n' });
  return (...args: string[]) => clifford(['task', 'changes', ...args], { cwd: root });
}

describe('clifford task changes', () => {
  it('lists the files that a task changed, and their differences where they are wanted', async () => {
    const changes = await atWork();
    expect((await changes('a')).out.split('\n')).toEqual([
      '2 files, +2 −1 uncommitted, by any task',
      'M src/parser.ts  +1 −1',
      'A new.ts  +1 −0',
      '',
    ]);
    expect((await changes('a', '--patch')).out.split('\n')).toEqual([
      '2 files, +2 −1 uncommitted, by any task',
      '',
      'M src/parser.ts  +1 −1',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      String.raw`+2\u001b[2J`,
      '',
      'A new.ts  +1 −0',
      '@@ -0,0 +1,1 @@',
      '+new',
      '',
    ]);
  });

  it('has all of it for programs', async () => {
    const changes = await atWork();
    const { out } = await changes('a', '--json');
    expect(JSON.parse(out)).toMatchObject({
      sprint: 'demo',
      task: 'a',
      from: 'since-commit',
      files: [
        { path: 'src/parser.ts', how: 'changed', lines: { added: 1, removed: 1 } },
        { path: 'new.ts', how: 'added', patch: '@@ -0,0 +1,1 @@\n+new\n' },
      ],
    });
  });

  it('says why it cannot be told', async () => {
    const changes = await atWork();
    expect(await changes('b')).toMatchObject({
      code: 1,
      err:
        'clifford: Cannot show the changes of task b: it has not begun\n' +
        '  See where it stands with: clifford status demo\n',
    });
    expect(await changes('c')).toMatchObject({ code: 2, err: expect.stringContaining('Its tasks are a, b') });
  });
});
