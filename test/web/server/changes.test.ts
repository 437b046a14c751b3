import { beforeEach, expect, it } from 'vitest';
import { changesSchema } from '../../../src/web/api/changes.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { on } from '../../helpers/history.ts';
import { gitIn, makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { codeOf, served } from '../../helpers/web-server.ts';

beforeEach(withoutGitConfig);

const agent = { id: 'session-1', client: 'opencode' };
const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** A project in a repository, of which the page tells what tasks changed. */
async function repository() {
  const place = await served();
  makeRepository(place.root);
  const git = gitIn(place.root);
  git.write({ 'old.txt': 'one\ntwo\n' });
  git.commitAll();
  const changes = async (query = 'task=a') => {
    const reply = await place.ask(`/api/sprints/demo/changes?${query}`);
    const { about, files } = changesSchema.parse(reply.json());
    return { about, files: files.filter(({ path }) => !path.startsWith('sprints/')) };
  };
  return { ...place, git, changes };
}

it('tells what a task at work has changed, without the secrets in it', async () => {
  const { project, git, changes } = await repository();
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.write({ 'old.txt': `one\n2\n`, 'new.txt': `token = ${token}\n` });
  const { about, files } = await changes();
  expect(about).toContain('uncommitted, by any task');
  expect(files.map(({ path }) => path).toSorted()).toEqual(['new.txt', 'old.txt']);
  expect(files.find(({ path }) => path === 'old.txt')?.patch).toContain('-two\n+2\n');
  expect(files.find(({ path }) => path === 'new.txt')?.patch).toContain('+token = [redacted]');
  expect(JSON.stringify(files)).not.toContain(token);
});

it('says in sentences why it cannot be told, and what to do about it', async () => {
  const { project, git, ask } = await repository();
  for (const taskId of ['a', 'b'])
    for (const status of ['active', 'completed'] as const)
      await setTaskStatus(project, { stream: 'demo', taskId, status, agent });
  git.commitAll();
  git.write({ 'first.txt': '1\n', 'second.txt': '2\n' });
  const reply = await ask('/api/sprints/demo/changes?task=a');
  expect([reply.status, codeOf(reply)]).toEqual([409, 'UNCOMMITTED']);
  expect(reply.json()).toMatchObject({
    error: {
      message:
        'Nothing is known to be its own: it made no commit, and b may have changed the 2 files that are in no commit. ' +
        'With "commit": true in clifford.json each task makes a commit of its own.',
    },
  });
});

it('says no more than why where nothing can be done about it but a commit by hand', async () => {
  const { ask } = await repository();
  const reply = await ask('/api/sprints/demo/changes?task=b');
  expect([reply.status, codeOf(reply)]).toEqual([409, 'UNCOMMITTED']);
  expect(reply.json()).toMatchObject({ error: { message: 'It has not begun' } });
});

it('looks again after a moment, at what has changed since', async () => {
  const { project, git, changes } = await repository();
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.write({ 'first.txt': '1\n' });
  const paths = async () => (await changes()).files.map(({ path }) => path);
  expect(await paths()).toEqual(['first.txt']);
  git.write({ 'second.txt': '2\n' });
  await expect.poll(paths, { interval: 200 }).toEqual(['first.txt', 'second.txt']);
});

it('tells of a moment of the past what was committed by then, and where nothing was', async () => {
  const { project, git, changes, ask } = await repository();
  git.write({ 'old.txt': 'one\n2\n' });
  git.commitAll('the task');
  const before = project.state.streams.get('demo')?.version ?? 0;
  const sha = git('rev-parse', 'HEAD');
  await project.record('demo', [on('demo/a', 'task.committed', { sha, files: ['old.txt'] })]);
  git.write({ 'old.txt': 'later\n' });
  expect((await changes(`task=a&until=${before + 1}`)).files).toMatchObject([
    { path: 'old.txt', how: 'changed', lines: { added: 1, removed: 1 } },
  ]);
  const reply = await ask(`/api/sprints/demo/changes?task=a&until=${before}`);
  expect([reply.status, codeOf(reply)]).toEqual([409, 'UNCOMMITTED']);
});

it('sends of what is long whole lines of its beginning', async () => {
  const { project, git, changes } = await repository();
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.write({ 'long.txt': `${'x'.repeat(99)}\n`.repeat(3_000) });
  const [file] = (await changes()).files;
  expect(file).toMatchObject({ path: 'long.txt', note: 'Too long: here is its beginning' });
  expect(file?.patch.length).toBeGreaterThan(199_000);
  expect(file?.patch.length).toBeLessThanOrEqual(200_000);
  expect(file?.patch.endsWith(`+${'x'.repeat(99)}\n`)).toBe(true);
});

it('looks for no task that is not there, and says why where it cannot tell', async () => {
  const { ask } = await served();
  expect((await ask('/api/sprints/demo/changes?task=none')).status).toBe(404);
  const reply = await ask('/api/sprints/demo/changes?task=b');
  expect(reply.status).toBe(409);
  expect(String((reply.json()['error'] as { message?: string }).message)).not.toBe('');
});

it('sums up what stands in no commit, as the screen does, as it is when somebody asks', async () => {
  const { project, git, ask } = await repository();
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.commitAll();
  git.write({ 'first.txt': '1\n' });
  const summary = async () => (await ask('/api/sprints/demo/summary')).json();
  expect(await summary()).toMatchObject({ uncommitted: { files: 1, added: 1, removed: 0, by: 'anybody' } });
  git.write({ 'second.txt': '1\n2\n' });
  expect(await summary()).toMatchObject({ uncommitted: { files: 2, added: 3 } });
});
