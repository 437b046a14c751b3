import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { agentHere } from '../../helpers/agent-here.ts';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { openTestProject, tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { gitThat } from '../../workflow/landing/landing-world.ts';
import { answer, parallelSprint, stuckRequest } from './support.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** Projects in folders of one repository, each with the sprint `demo` and its task `a`. */
async function projectsInOne(names: readonly string[]) {
  const top = await tempRoot();
  const git = makeRepository(top);
  onTestFinished(() => {
    for (const name of names) rmSync(`${top}.${name}.worktrees`, { recursive: true, force: true });
  });
  const projects = names.map(async (name) => {
    const root = join(top, name);
    await writeSprint(root, { tasks: ['a'] });
    git.write({ [`${name}/.clifford/plan.json`]: JSON.stringify({ a: { 'a.txt': name } }) });
    const run = () =>
      startRun(root, {
        sprint: 'demo',
        parallel: 2,
        agentCmd: agentHere('change-files', join(root, '.clifford/plan.json')),
      });
    return { root, run, project: await openTestProject(root) };
  });
  git.write({ '.gitignore': '.clifford/\n' });
  const made = await Promise.all(projects);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'before');
  return { top, git, projects: made };
}

// Names and state of a repository: no log has a say in them. What is lost or kept of worktrees is in the files beside this, with either log.
describe('the branches of tasks', () => {
  it('are those of one project each, also where several in a repository have tasks of the same names', async () => {
    const { git, top, projects } = await projectsInOne(['one', 'two']);
    // Both have named theirs before either is made.
    const { PATH } = await gitThat({ root: top }, `*" branch --no-track "*) sleep 0.3 ;;`);
    vi.stubEnv('PATH', PATH);
    const ends = await Promise.all(projects.map(({ run }) => run().ended));
    expect(ends).toEqual([done, done]);
    for (const name of ['one', 'two']) expect(git('show', `main:${name}/a.txt`)).toBe(name);
    const claims = (await Promise.all(projects.map(({ project }) => eventsOf(project)))).flat();
    const branches = claims.flatMap(({ type, data }) =>
      type === 'worktree.claimed' && 'branch' in data ? [data.branch] : [],
    );
    expect([branches.length, new Set(branches).size]).toEqual([2, 2]);
    expect(git('branch', '--list')).toBe('* main');
  });

  it('are made where the repository is elsewhere, and a link leads there', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    const elsewhere = `${sprint.root}-git`;
    renameSync(join(sprint.root, '.git'), elsewhere);
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    symlinkSync(elsewhere, join(sprint.root, '.git'));
    expect(await sprint.run().ended).toEqual(done);
    expect(sprint.git('show', 'main:a.txt')).toBe('a');
  });

  it('are taken for no tag, nor is the branch that they are merged into', async () => {
    const { git, run, root } = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } });
    for (const tag of ['main', 'clifford/demo/a', 'clifford/demo/b']) git('tag', tag);
    git.write({ 'second.txt': 'second\n' });
    git.commitAll('second');
    expect(await run().ended).toEqual(done);
    expect(['a.txt', 'b.txt'].map((path) => existsSync(join(root, path)))).toEqual([true, true]);
  });

  it.each(['clifford', 'clifford/demo'])(
    'cannot be made beside a branch %s: it is said before a task is tried',
    async (name) => {
      const { git, run, project } = await parallelSprint({ a: { 'a.txt': 'a\n' } });
      git('branch', name);
      await expect(run().ended).rejects.toMatchObject({
        code: 'PARALLEL_UNUSABLE',
        message: `Cannot work on several tasks at once: the branches of its tasks are called clifford/demo/…, and there is a branch ${name}`,
        fix: `Rename that, e.g. with: git branch -m ${name} ${name}-old, or run with --parallel 1`,
      });
      expect(await eventsOf(project)).toEqual([]);
    },
  );
});

describe('a task that depends on another', () => {
  it('does not begin on a branch that has nothing of that, and says which one has', async () => {
    const { git, run, root, project } = await parallelSprint(
      { a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } },
      { tasks: ['a'] },
    );
    git('branch', 'elsewhere');
    expect(await run().ended).toEqual(done);
    git('switch', '--quiet', 'elsewhere');
    const add = ['task', 'add', 'b', 'Go on with it', '--depends-on', 'a', '--sprint', 'demo'];
    expect(await clifford(add, { cwd: root })).toMatchObject({ code: 0 });
    expect((await run().ended).outcome).toBe('failed');
    const failure = () => project.state.streams.get('demo')?.tasks.get('b')?.lastFailure;
    await project.refresh();
    expect(failure()).toContain(
      'task a, on which it depends, is in main and not in elsewhere, which is checked out. ' +
        'Go there with: git switch main, or bring it here with: git merge main',
    );
    git('switch', '--quiet', 'main');
    expect(await run().ended).toEqual(done);
  });
});

it.each([
  {
    what: 'a key that cannot sign',
    said: 'gpg failed to sign the data',
    fix: /git config commit\.gpgSign false$/,
  },
  { what: 'a full disk', said: 'No space left on device', fix: /Make room on the disk, and try it again$/ },
  {
    what: 'a full disk',
    said: 'write error. Out of diskspace',
    fix: /Make room on the disk, and try it again$/,
  },
  {
    what: 'a lock',
    said: "Unable to create '/there/index.lock': File exists.",
    fix: /: rm \/there\/index\.lock$/,
  },
])('$what is nothing for an agent, and it is said what helps', async ({ said, fix }) => {
  const { root, run, project } = await parallelSprint({ a: { 'a.txt': 'a\n' } });
  const { PATH } = await gitThat({ root }, `*" commit --quiet "*) echo "${said}" >&2; exit 128 ;;`);
  vi.stubEnv('PATH', PATH);
  const running = run();
  const request = await stuckRequest(project, 'a');
  expect(request.asked.question).toMatch(fix);
  expect(request.asked.options).toEqual([mergeAnswers.again, mergeAnswers.drop]);
  vi.unstubAllEnvs();
  withoutGitConfig();
  await answer(project, request, mergeAnswers.again);
  expect(await running.ended).toEqual(done);
});

describe('the worktrees', () => {
  it('of a project in a folder of a repository are beside that, where no git add can take them', async () => {
    const { git, top, projects } = await projectsInOne(['app']);
    const [{ run, project } = expect.fail()] = projects;
    const running = run();
    const worktree = await project.until((state) => state.streams.get('demo')?.tasks.get('a')?.worktree);
    expect(join(top, 'app', worktree.path)).toBe(`${top}.app.worktrees/demo/a`);
    expect(await running.ended).toEqual(done);
    expect(git('status', '--porcelain')).toBe(' M app/sprints/demo/manifest.json');
  });

  it('take the commit of a sprint that was in none when they were made', async () => {
    const { git, root, run, project } = await parallelSprint({
      a: { 'a.txt': 'a\n' },
      b: { 'b.txt': 'b\n' },
    });
    git('rm', '--quiet', '--cached', '-r', 'sprints');
    git('commit', '--quiet', '-m', 'without the sprint');
    const agent = join(root, '.clifford/agent.sh');
    const here = join(root, '.clifford');
    writeFileSync(
      agent,
      `until [ -e '${here}/go' ]; do sleep 0.05; done\necho "$CLIFFORD_TASK" > "$CLIFFORD_TASK.txt"\n`,
    );
    git.write({ 'clifford.json': '{"done": "exit-0", "verify": ["true"]}' });
    const running = run({ agentCmd: `/bin/sh ${agent}` });
    await project.until((state) => {
      const tasks = [...(state.streams.get('demo')?.tasks.values() ?? [])];
      return tasks.length === 2 && tasks.every(({ worktree }) => worktree?.phase === 'ready')
        ? true
        : undefined;
    });
    git.commitAll('the sprint');
    writeFileSync(join(here, 'go'), '');
    expect(await running.ended).toEqual(done);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n');
    expect(git('ls-files', 'sprints/demo/a.md', 'b.txt').split('\n')).toEqual(['b.txt', 'sprints/demo/a.md']);
  });
});
