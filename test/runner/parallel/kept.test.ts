import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { gitIn, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { answer, parallelSprint, stuckRequest, type ParallelSprint } from './support.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

const two = { a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } };

/** A command that only fails, or does this, where both tasks are merged. */
const ofBoth = (then: string) => `/bin/sh -c "test ! -e a.txt || test ! -e b.txt || ${then}"`;

const inMain = ({ git }: ParallelSprint, path: string) => git('show', `main:${path}`);

describeOnEachEngine('what a human has put into a worktree', () => {
  it('what a human puts right in a worktree is a commit of the task, verified and merged with it', async () => {
    const sprint = await parallelSprint(two, {
      manifest: { verify: [ofBoth('grep -q mended shared.txt')] },
    });
    const run = sprint.run();
    const stuck = await sprint.project.until((state) => {
      const tasks = [...(state.streams.get('demo')?.tasks.values() ?? [])];
      return tasks.find(({ worktree }) => worktree?.phase === 'stuck')?.id;
    });
    const request = await stuckRequest(sprint.project, stuck);
    const there = gitIn(join(sprint.worktrees, 'demo', stuck));
    there.write({ 'shared.txt': 'mended\n', 'more.txt': 'more\n' });
    await answer(sprint.project, request, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect([inMain(sprint, 'shared.txt'), inMain(sprint, 'more.txt')]).toEqual(['mended', 'more']);
    const message = sprint.git('log', '-1', '--format=%B', '--', 'more.txt');
    expect(message).toMatch(new RegExp(`^Put right by hand: Task ${stuck}\n`));
    expect(message).toContain(`Clifford-Task: ${stuck}\nClifford-Attempt: 1\nClifford-Put-Right-By: ada`);
    const commits = (await eventsOf(sprint.project)).filter(
      ({ type, subject }) => type === 'task.committed' && subject === `demo/${stuck}`,
    );
    expect(commits.map(({ data }) => 'files' in data && data.files)).toEqual([
      [`${stuck}.txt`],
      ['more.txt', 'shared.txt'],
    ]);
    expect(existsSync(sprint.worktrees)).toBe(false);
  });

  it('what a human changes in a worktree whose merge waits for files of the project is merged with it', async () => {
    const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } });
    writeFileSync(join(sprint.root, 'shared.txt'), 'mine\n');
    const run = sprint.run();
    const request = await stuckRequest(sprint.project, 'a');
    writeFileSync(join(sprint.worktrees, 'demo/a/other.txt'), 'by hand\n');
    sprint.git('checkout', '--quiet', '--', 'shared.txt');
    await answer(sprint.project, request, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(inMain(sprint, 'other.txt')).toBe('by hand');
  });

  it('what a human changes while a merge waits is verified before it is merged, also where nothing else has changed', async () => {
    const verify = ['/bin/sh -c "! grep -q wrong other.txt"'];
    const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } }, { manifest: { verify } });
    writeFileSync(join(sprint.root, 'shared.txt'), 'mine\n');
    const run = sprint.run();
    const request = await stuckRequest(sprint.project, 'a');
    writeFileSync(join(sprint.worktrees, 'demo/a/other.txt'), 'wrong\n');
    sprint.git('checkout', '--quiet', '--', 'shared.txt');
    await answer(sprint.project, request, mergeAnswers.again);
    const next = await sprint.project.until((state) =>
      [...(state.streams.get('demo')?.requests.values() ?? [])].find(({ id }) => id !== request.id),
    );
    expect(sprint.git('log', '--format=%s', 'main', '--', 'other.txt')).not.toContain('Put right');
    writeFileSync(join(sprint.worktrees, 'demo/a/other.txt'), 'right\n');
    await answer(sprint.project, next, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(inMain(sprint, 'other.txt')).toBe('right');
  });

  it('a run that is stopped while it verifies a merge brings the worktree back to its branch', async () => {
    const sprint = await parallelSprint(two);
    const [reached, go] = ['reached', 'go'].map((name) => join(sprint.root, '.clifford', name));
    const wait = ofBoth(`test -e ${go} || { : > ${reached}; sleep 600; }`);
    sprint.git.write({ 'clifford.json': JSON.stringify({ verify: [wait] }) });
    sprint.git.commitAll();
    const run = sprint.run();
    await vi.waitFor(() => expect(existsSync(reached ?? '')).toBe(true), { timeout: 60_000 });
    await run.runner.stop('enough');
    const left = ['a', 'b'].find((task) => existsSync(join(sprint.worktrees, 'demo', task))) ?? '';
    const there = gitIn(join(sprint.worktrees, 'demo', left));
    expect(there('symbolic-ref', '--short', 'HEAD')).toBe(`clifford/demo/${left}`);
    // What is changed there now goes with the merge, though nobody was asked.
    there.write({ 'other.txt': 'by hand\n' });
    writeFileSync(go ?? '', '');
    expect(await sprint.run().ended).toEqual(done);
    expect(inMain(sprint, 'other.txt')).toBe('by hand');
    expect((await eventsOf(sprint.project)).map(({ type }) => type)).not.toContain('worktree.kept');
  });

  it('what the setup has changed in files that git has is no work of a task, and a task may change them, too', async () => {
    const setup = '/bin/sh -c "echo installed >> other.txt; echo made > made.txt"';
    const sprint = await parallelSprint(
      {
        a: { 'a.txt': 'a\n' },
        b: { 'b.txt': 'b\n', 'other.txt': 'other\ninstalled\nadded\n' },
        c: { 'made.txt': 'by c\n' },
        d: { 'd.txt': 'd\n' },
      },
      { config: { worktrees: { setup } } },
    );
    const problems: string[] = [];
    const run = sprint.run({ parallel: 4, wait: false });
    run.runner.on('problem', (problem) => problems.push(problem));
    expect(await run.ended).toEqual(done);
    expect([inMain(sprint, 'other.txt'), inMain(sprint, 'made.txt')]).toEqual([
      'other\ninstalled\nadded',
      'by c',
    ]);
    expect([problems, existsSync(sprint.worktrees)]).toEqual([[], false]);
  });

  it('a worktree whose setup failed is made anew, unless somebody has put something into it since', async () => {
    // What the setup has left itself is nobody's work.
    const setup = '/bin/sh -c "touch left.txt; test -e mended.txt"';
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } }, { config: { worktrees: { setup } } });
    const folder = join(sprint.worktrees, 'demo/a');
    expect((await sprint.run().ended).outcome).toBe('failed');
    const madeAt = () => statSync(join(folder, 'left.txt'), { bigint: true }).birthtimeNs;
    const before = madeAt();
    expect((await sprint.run().ended).outcome).toBe('failed');
    expect(madeAt()).not.toBe(before);
    writeFileSync(join(folder, 'mended.txt'), 'by hand\n');
    expect(await sprint.run().ended).toEqual(done);
    expect([inMain(sprint, 'a.txt'), inMain(sprint, 'mended.txt')]).toEqual(['a', 'by hand']);
    expect(readFileSync(join(sprint.root, 'mended.txt'), 'utf8')).toBe('by hand\n');
  });
});
