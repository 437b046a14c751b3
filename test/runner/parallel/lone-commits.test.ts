import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig, type TestGit } from '../../helpers/temp-repository.ts';
import { answer, parallelSprint, stuckRequest, whileRunning } from './support.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** A sprint with one task, whose agent is this script. */
async function scripted(script: string, prepare: (git: TestGit) => void = () => undefined) {
  const config = { done: 'exit-0', verify: ['true'] };
  const sprint = await parallelSprint({ a: {} }, { config });
  prepare(sprint.git);
  const agent = join(sprint.root, '.clifford/agent.sh');
  writeFileSync(agent, `set -e\n${script}`);
  const agentCmd = `/bin/sh ${agent}`;
  return {
    ...sprint,
    folder: join(sprint.worktrees, 'demo/a'),
    run: (options = {}) => sprint.run({ agentCmd, ...options }),
    /** The commits that are kept of it: their titles. */
    kept: async () =>
      (await eventsOf(sprint.project)).flatMap(({ data, type }) =>
        type === 'worktree.kept' && 'ref' in data ? [sprint.git('log', '-1', '--format=%s', data.ref)] : [],
      ),
  };
}

type Scripted = Awaited<ReturnType<typeof scripted>>;

/** Asked again, where nothing was done about it, or something else is in the way now. */
const nextRequest = ({ project }: Scripted, before: string) =>
  project.until((state) =>
    [...(state.streams.get('demo')?.requests.values() ?? [])].find(
      ({ id, phase }) => id !== before && phase === 'open',
    ),
  );

/** Submodules of this machine: git takes them only where it is told so. */
const FILE_SUBMODULE = 'git -c protocol.file.allow=always submodule --quiet';

function addSubmodule(git: TestGit, { of, path }: { readonly of: TestGit; readonly path: string }): void {
  git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    of('rev-parse', '--show-toplevel'),
    path,
  );
}

const commit = (message: string) =>
  `git add . && git -c user.name=Bot -c user.email=bot@example.com commit --quiet -m '${message}'`;

// What git has of commits: no log has a say in it.
describe('a commit that only a worktree has', () => {
  const LOST = 'would be lost, a repository of its own with commits that no remote of it has';

  it('in a submodule is asked about until it is pushed from there', async () => {
    const [library, inner] = [makeRepository(await tempRoot()), makeRepository(await tempRoot())];
    inner.commitAll();
    addSubmodule(library, { of: inner, path: 'inner' });
    library.commitAll();
    const sprint = await scripted(
      `${FILE_SUBMODULE} update --init --recursive
      (cd lib/inner && git checkout --quiet -b work && echo new > new.txt && ${commit('In the inner one')})
      (cd lib && git checkout --quiet -b work && ${commit('In the library')})
      ${commit('With it')}`,
      (git) => {
        addSubmodule(git, { of: library, path: 'lib' });
        git.commitAll('with a library');
      },
    );
    const before = sprint.git('rev-parse', 'main');
    const run = sprint.run();
    const request = await whileRunning(run, 'a question', stuckRequest(sprint.project, 'a'));
    expect(request.asked.question).toContain(`lib, lib/inner ${LOST}`);
    const there = gitIn(join(sprint.folder, 'lib'));
    there('push', '--quiet', 'origin', 'work');
    await answer(sprint.project, request, mergeAnswers.again);
    const next = await whileRunning(run, 'a second question', nextRequest(sprint, request.id));
    expect(next.asked.question).toContain(`: lib/inner ${LOST}`);
    expect(sprint.git('rev-parse', 'main')).toBe(before);
    there('-C', 'inner', 'push', '--quiet', 'origin', 'work');
    await answer(sprint.project, next, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(library('rev-parse', 'work')).toBe(sprint.git('rev-parse', 'main:lib'));
    expect(inner('rev-parse', 'work')).toBe(library('rev-parse', 'work:inner'));
    expect(existsSync(sprint.folder)).toBe(false);
  });

  it('in a submodule that was there before, and is on no branch of its remote, keeps no worktree', async () => {
    const library = makeRepository(await tempRoot());
    library.commitAll();
    library('tag', 'v1');
    library('commit', '--quiet', '--amend', '--allow-empty', '-m', 'after');
    const sprint = await scripted(`${FILE_SUBMODULE} update --init\necho a > a.txt`, (git) => {
      addSubmodule(git, { of: library, path: 'lib' });
      git('-C', 'lib', 'checkout', '--quiet', 'v1');
      git.commitAll('with a library');
    });
    expect(await sprint.run({ wait: false }).ended).toEqual(done);
    expect([sprint.git('show', 'main:a.txt'), existsSync(sprint.folder)]).toEqual(['a', false]);
  });

  it('in a folder with a repository of its own is asked about until that is moved away', async () => {
    const sprint = await scripted(
      `git init --quiet sub && git init --quiet sub/inner
      (cd sub/inner && ${commit('In the inner one')} --allow-empty)
      (cd sub && ${commit('In it')})
      ${commit('With it')}`,
    );
    const run = sprint.run();
    const request = await whileRunning(run, 'a question', stuckRequest(sprint.project, 'a'));
    expect(request.asked.question).toContain(`sub, sub/inner ${LOST}`);
    const [sub, away] = [join(sprint.folder, 'sub'), join(await tempRoot(), 'sub')];
    renameSync(sub, away);
    mkdirSync(sub);
    await answer(sprint.project, request, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(gitIn(away)('rev-parse', 'HEAD')).toBe(sprint.git('rev-parse', 'main:sub'));
  });

  it('in a folder with a repository of its own keeps a worktree that is given up, as is said before', async () => {
    const sprint = await scripted(`git init --quiet sub; (cd sub && ${commit('In it')} --allow-empty)`);
    expect((await sprint.run({ wait: false }).ended).outcome).toBe('blocked');
    const clean = async (...args: string[]) =>
      (await clifford(['clean', ...args], { cwd: sprint.root })).out.split('\n')[0];
    const stays = /^stays demo\/a: sub\/ would be lost, a repository of its own/;
    expect(await clean('--drop', 'a')).toMatch(stays);
    expect(await clean('--dry-run')).toMatch(stays);
    const there = gitIn(sprint.folder);
    there('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub');
    there('commit', '--quiet', '-m', 'With it');
    const named = new RegExp(`^stays demo/a: sub ${LOST}`);
    expect(await clean('--dry-run')).toMatch(named);
    expect(await clean()).toMatch(named);
    expect(existsSync(join(sprint.folder, 'sub/.git'))).toBe(true);
  });

  it('on no branch is named, with the way onto the branch', async () => {
    const sprint = await scripted(
      `git checkout --quiet --detach; echo new > new.txt; ${commit('On no branch')}`,
    );
    const run = sprint.run();
    const { asked, ...request } = await whileRunning(run, 'a question', stuckRequest(sprint.project, 'a'));
    const sha = gitIn(sprint.folder)('rev-parse', 'HEAD').slice(0, 12);
    expect(asked.question).toContain(
      `its worktree is on no branch, not on clifford/demo/a, which does not have the commit ${sha}`,
    );
    expect(asked.reason).not.toContain('on the branch');
    const [, way = 'false'] = /there with: (.*)$/.exec(asked.question) ?? [];
    execFileSync('/bin/sh', ['-c', way], { cwd: sprint.folder, stdio: 'pipe' });
    await answer(sprint.project, { asked, ...request }, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(sprint.git('show', 'main:new.txt')).toBe('new');
    expect(await sprint.kept()).toEqual([]);
  });

  it('on no branch is kept when the worktree goes, without what was amended and rebased', async () => {
    const amend = (message: string) => `echo more >> b.txt; ${commit(message)} --amend`;
    const sprint = await scripted(
      `echo a > a.txt; ${commit('To be amended')}; ${amend('To be merged')}
      git checkout --quiet --detach
      echo c > c.txt; ${commit('To be amended on no branch')}; ${amend('On no branch')}
      echo d > d.txt; ${commit('The last on no branch')}
      git checkout --quiet clifford/demo/a
      echo e > e.txt; ${commit('To be rebased')}
      git -c user.name=Bot -c user.email=bot@example.com rebase --quiet --force-rebase HEAD~1
      echo f > f.txt; ${commit('Taken back')}; git reset --quiet --hard HEAD~1`,
    );
    expect(await sprint.run({ wait: false }).ended).toEqual(done);
    expect(existsSync(sprint.folder)).toBe(false);
    expect(sprint.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
      expect.arrayContaining(['a.txt', 'b.txt', 'e.txt']),
    );
    expect((await sprint.kept()).toSorted()).toEqual(['Taken back', 'The last on no branch']);
    expect(sprint.git('for-each-ref', '--format=%(refname)', 'refs/clifford').split('\n')).toHaveLength(2);
  });
});
