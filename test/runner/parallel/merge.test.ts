import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { nameOf } from '../../../src/machines/status-words.ts';
import { noteClaim } from '../../../src/workflow/worktree/worktree-claims.ts';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf, type SprintRun } from '../../helpers/sprint-run.ts';
import { gitIn, withoutGitConfig } from '../../helpers/temp-repository.ts';
import {
  answer,
  livesOf,
  parallelSprint,
  stuckRequest,
  whileRunning,
  type ParallelSprint,
} from './support.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

const read = ({ root }: ParallelSprint, path: string) => readFileSync(join(root, path), 'utf8');

/** Nothing of a worktree is left, and no branch but that of the user. */
function expectNothingLeft({ git, worktrees }: ParallelSprint): void {
  expect(existsSync(worktrees)).toBe(false);
  expect(git('branch', '--list').split('\n')).toEqual(['* main']);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
}

/** The task whose changes cannot be merged, once there is one. */
function untilStuck({ project }: ParallelSprint, run: SprintRun): Promise<string> {
  const stuck = project.until((state) => {
    const tasks = [...(state.streams.get('demo')?.tasks.values() ?? [])];
    return tasks.find(({ worktree }) => worktree?.phase === 'stuck')?.id;
  });
  return whileRunning(run, 'a conflict', stuck);
}

/** The question that comes after another one. */
function untilAskedAgain({ project }: ParallelSprint, run: SprintRun, request: RequestState) {
  const again = project.until((state) => {
    const all = [...(state.streams.get('demo')?.requests.values() ?? [])];
    return all.find(({ id, phase }) => phase === 'open' && id !== request.id);
  });
  return whileRunning(run, 'another question', again);
}

describeOnEachEngine('tasks in worktrees', () => {
  it('are merged one after the other, and leave neither folders nor branches', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n', 'other.txt': null } });
    expect(await sprint.run().ended).toEqual(done);
    expect([read(sprint, 'a.txt'), read(sprint, 'b.txt')]).toEqual(['a\n', 'b\n']);
    expect(existsSync(join(sprint.root, 'other.txt'))).toBe(false);
    // Only what Clifford writes of the sprint differs from the last commit.
    expect(sprint.git.status()).toEqual([' M sprints/demo/manifest.json']);
    expectNothingLeft(sprint);
    expect((await livesOf(sprint.project)).toSorted()).toEqual(
      ['a', 'b'].flatMap((task) =>
        ['claimed', 'merged', 'prepared', 'removed'].map((life) => `${task} ${life}`),
      ),
    );
  });

  it('have a commit of their own each, and the second a merge whose first parent is the branch of before', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } });
    await sprint.run().ended;
    const { git } = sprint;
    const commits = (await eventsOf(sprint.project)).filter(({ type }) => type === 'task.committed');
    const titles = commits.map(({ data }) => ('title' in data ? data.title : undefined));
    expect(new Set(titles)).toEqual(new Set(['Task a', 'Task b']));
    const [first, second] = commits.map(({ data }) => ('sha' in data ? data.sha : ''));
    expect(git('rev-parse', 'HEAD^1', 'HEAD^2').split('\n')).toEqual([first, second]);
    expect(git('log', '-1', '--format=%s')).toMatch(/^Merge into main: Task [ab]$/);
  });

  it('begin after what they depend on, with its changes', async () => {
    const sprint = await parallelSprint(
      { a: { 'shared.txt': 'a\ntwo\nthree\n' }, b: { 'shared.txt': 'a\ntwo\nb\n' } },
      {
        manifest: {
          tasks: [
            { id: 'a', file: 'a.md' },
            { id: 'b', file: 'b.md', dependsOn: ['a'] },
          ],
        },
      },
    );
    expect(await sprint.run().ended).toEqual(done);
    expect(read(sprint, 'shared.txt')).toBe('a\ntwo\nb\n');
    const lives = await livesOf(sprint.project);
    expect(lives.indexOf('a merged')).toBeLessThan(lives.indexOf('b claimed'));
  });

  it('that change nothing are done without a commit', async () => {
    const sprint = await parallelSprint({ a: {}, b: { 'b.txt': 'b\n' } });
    expect(await sprint.run().ended).toEqual(done);
    expectNothingLeft(sprint);
    expect(sprint.git('log', '--format=%s').split('\n')).toEqual(['Task b', 'before']);
  });

  it('leave what the user has changed and staged as it is', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } });
    const { git, root } = sprint;
    git.write({ 'other.txt': 'staged\n', 'new.txt': 'new\n' });
    git('add', 'other.txt');
    writeFileSync(join(root, 'shared.txt'), 'mine\n');
    expect(await sprint.run().ended).toEqual(done);
    expect(git.status().toSorted()).toEqual(
      [' M shared.txt', ' M sprints/demo/manifest.json', '?? new.txt', 'M  other.txt'].toSorted(),
    );
    expect(read(sprint, 'a.txt')).toBe('a\n');
  });

  it('that fail do not stop the others, and keep their worktree', async () => {
    const sprint = await parallelSprint({ a: {}, b: {} });
    const end = await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    expect(end.outcome).toBe('failed');
    const tasks = (await sprint.project.refresh()).streams.get('demo')?.tasks;
    expect([...(tasks?.values() ?? [])].map(({ machine }) => nameOf(machine.value))).toEqual([
      'done.failed',
      'done.completed',
    ]);
    expect(existsSync(join(sprint.worktrees, 'demo/a'))).toBe(true);
    // The next run goes on in it.
    expect(await sprint.run().ended).toEqual(done);
    expectNothingLeft(sprint);
  });
});

describeOnEachEngine('two tasks that change the same line', () => {
  const plan = {
    a: { 'shared.txt': 'a\ntwo\nthree\n' },
    b: { 'shared.txt': 'b\ntwo\nthree\n' },
    '#together': {},
  };

  /** One of them is merged, and a human is asked about the other. */
  async function inConflict(config?: unknown) {
    const sprint = await parallelSprint(plan, { config });
    const run = sprint.run();
    const stuck = await untilStuck(sprint, run);
    const merged = stuck === 'a' ? 'b' : 'a';
    return { sprint, run, merged, stuck, request: await stuckRequest(sprint.project, stuck) };
  }

  it('become a question with the difference; nothing is lost, and nothing is guessed', async () => {
    const { sprint, run, merged, stuck, request } = await inConflict();
    expect(read(sprint, 'shared.txt')).toBe(`${merged}\ntwo\nthree\n`);
    expect(request.asked).toMatchObject({
      task: stuck,
      question: `The changes of task ${stuck} cannot be merged into main: both have changed shared.txt`,
      reason: expect.stringMatching(
        /^The changes are in .*, the worktree of the branch clifford.*\. Nothing of them is lost$/,
      ) as string,
      options: Object.values(mergeAnswers),
    });
    expect(request.asked.context).toMatch(
      new RegExp(`<<<<<<< .*\\+${merged}\n.*\\+ ${stuck}\n.*>>>>>>>`, 's'),
    );
    expect(sprint.git('show', `clifford/demo/${stuck}:shared.txt`)).toBe(`${stuck}\ntwo\nthree`);
    const state = sprint.project.state.streams.get('demo');
    expect(state && nameOf(state.machine.value)).toBe('blocked');
    await run.runner.stop();
  });

  it('end a run that does not wait, and the question is there for the next one', async () => {
    const { sprint, run, stuck, request } = await inConflict();
    await run.runner.stop();
    const end = await sprint.run({ wait: false }).ended;
    expect(end.outcome).toBe('blocked');
    expect((await stuckRequest(sprint.project, stuck)).id).toBe(request.id);
  });

  it.each([
    ['before it had asked it', 'brought in'],
    ['while it tried to merge', 'tried'],
    ['before it had asked about a second one, where an agent has put right the first', 'again'],
  ])('become that question, too, where a runner was killed %s', async (_when, how) => {
    const sprint = await parallelSprint({ a: plan.a }, { tasks: ['a'] });
    const { git, project, worktrees } = sprint;
    const [folder, branch, base] = [join(worktrees, 'demo/a'), 'clifford/demo/a', git('rev-parse', 'HEAD')];
    git('worktree', 'add', '--quiet', '-b', branch, folder);
    writeFileSync(join(folder, 'shared.txt'), 'a\ntwo\nthree\n');
    const inWorktree = gitIn(folder);
    inWorktree('commit', '--quiet', '--all', '-m', 'a');
    git.write({ 'shared.txt': 'b\ntwo\nthree\n' });
    git.commitAll('b');
    const sha = inWorktree('rev-parse', 'HEAD');
    if (how === 'tried') {
      // As it says that it takes the files away from the branch, to merge on none.
      const mark = inWorktree('rev-parse', '--path-format=absolute', '--git-path', 'clifford-merging');
      writeFileSync(mark, `${git('rev-parse', 'main')}\0\0`);
      inWorktree('checkout', '--quiet', '--detach', 'main');
    }
    expect(() => inWorktree('merge', '--quiet', how === 'tried' ? branch : 'main')).toThrow('git merge');
    expect(inWorktree('status', '--porcelain')).toBe('UU shared.txt');
    const about = (type: Parameters<typeof on>[1], data: object) => on('demo/a', type, data);
    const tasks = [{ id: 'a', file: 'a.md' }];
    await project.record('demo', [
      on('demo', 'sprint.created', { manifest: 'sprints/demo/manifest.json', tasks }),
      on('demo', 'sprint.started'),
      {
        ...about('worktree.claimed', {
          path: relative(sprint.root, folder),
          branch,
          into: 'main',
          base,
          slot: 1,
        }),
        id: await noteClaim(project),
      },
      about('worktree.prepared', { copied: [] }),
      about('task.started', { attempt: 1, runId: 'run-1' }),
      about('task.completed', { runId: 'run-1' }),
      about('task.committed', { sha, files: ['shared.txt'], attempt: 1 }),
    ]);
    if (how === 'again')
      await project.record('demo', [
        about('worktree.settled', { how: 'agent', by: 'ada' }),
        about('task.reopened', { by: 'ada' }),
        about('task.started', { attempt: 2, runId: 'run-2' }),
        about('task.completed', { runId: 'run-2' }),
        about('task.committed', { sha, files: ['shared.txt'], attempt: 2 }),
      ]);
    const run = sprint.run();
    expect(await untilStuck(sprint, run)).toBe('a');
    const { asked } = await stuckRequest(project, 'a');
    expect(asked.question).toMatch(/both have changed shared\.txt$/);
    expect(asked.context).toContain('<<<<<<<');
    // Whoever puts it right commits to the branch of the task.
    expect(inWorktree('symbolic-ref', 'HEAD')).toBe(`refs/heads/${branch}`);
    await run.runner.stop();
  });

  it('are put right by a human in the worktree', async () => {
    const { sprint, run, stuck, request } = await inConflict();
    const folder = join(sprint.worktrees, 'demo', stuck);
    expect(readFileSync(join(folder, 'shared.txt'), 'utf8')).toContain('<<<<<<<');
    writeFileSync(join(folder, 'shared.txt'), 'a and b\ntwo\nthree\n');
    await answer(sprint.project, request, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(read(sprint, 'shared.txt')).toBe('a and b\ntwo\nthree\n');
    expectNothingLeft(sprint);
  });

  it('are put right also where a heading of another file has a line below it that looks like a mark', async () => {
    const doc = { 'doc.md': 'Install\n=======\n' };
    const both = Object.fromEntries(['a', 'b'].map((task) => [task, { ...doc, ...plan[task as 'a' | 'b'] }]));
    const sprint = await parallelSprint({ ...both, '#together': {} }, { tasks: ['a', 'b'] });
    const run = sprint.run();
    const stuck = await untilStuck(sprint, run);
    const folder = join(sprint.worktrees, 'demo', stuck);
    writeFileSync(join(folder, 'shared.txt'), 'a and b\n=======\nthree\n');
    sprint.git('-C', folder, 'add', 'shared.txt');
    await answer(sprint.project, await stuckRequest(sprint.project, stuck), mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(read(sprint, 'shared.txt')).toBe('a and b\n=======\nthree\n');
  });

  it('are asked about again while marks are in a file that was added', async () => {
    const { sprint, run, stuck, request } = await inConflict();
    const folder = join(sprint.worktrees, 'demo', stuck);
    sprint.git('-C', folder, 'add', 'shared.txt');
    await answer(sprint.project, request, mergeAnswers.again);
    const again = await untilAskedAgain(sprint, run, request);
    expect(again.asked.question).toContain('not put right yet: shared.txt');
    await run.runner.stop();
  });

  it('are asked about again while the marks are still in the file', async () => {
    const { sprint, run, stuck, request } = await inConflict();
    await answer(sprint.project, request, mergeAnswers.again);
    const again = await untilAskedAgain(sprint, run, request);
    expect(again.asked.question).toContain('not put right yet: shared.txt');
    expect(existsSync(join(sprint.worktrees, 'demo', stuck))).toBe(true);
    await run.runner.stop();
  });

  it('go to an agent with what the human says, in the same worktree', async () => {
    const { sprint, run, stuck, request } = await inConflict();
    await sprint.plan({ [stuck]: { 'shared.txt': 'both\ntwo\nthree\n' } });
    await answer(sprint.project, request, 'Take both lines');
    expect(await run.ended).toEqual(done);
    expect(read(sprint, 'shared.txt')).toBe('both\ntwo\nthree\n');
    const task = (await sprint.project.refresh()).streams.get('demo')?.tasks.get(stuck);
    expect(task?.machine.context.attempt).toBe(2);
    expect(task?.notes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/cannot be merged into main.*A human says about it: Take both lines$/s),
    ]);
    expectNothingLeft(sprint);
  });

  it('are given up where a human says so: the task counts as skipped', async () => {
    const { sprint, run, merged, stuck, request } = await inConflict();
    const tip = sprint.git('rev-parse', `clifford/demo/${stuck}`);
    await answer(sprint.project, request, mergeAnswers.drop);
    expect((await run.ended).outcome).toBe('completed');
    expect(read(sprint, 'shared.txt')).toBe(`${merged}\ntwo\nthree\n`);
    const task = (await sprint.project.refresh()).streams.get('demo')?.tasks.get(stuck);
    expect(task && nameOf(task.machine.value)).toBe('done.skipped');
    expectNothingLeft(sprint);
    const removed = (await eventsOf(sprint.project)).find(
      ({ type, subject }) => type === 'worktree.removed' && subject === `demo/${stuck}`,
    );
    expect(removed?.data).toMatchObject({ sha: tip });
  });

  it('go to an agent without a question where the configuration says so', async () => {
    const both = { 'shared.txt': 'both\ntwo\nthree\n' };
    const config = { worktrees: { onConflict: 'agent' } };
    const sprint = await parallelSprint({ ...plan, 'a#2': both, 'b#2': both }, { config, tasks: ['a', 'b'] });
    expect(await sprint.run().ended).toEqual(done);
    expect(read(sprint, 'shared.txt')).toBe('both\ntwo\nthree\n');
    const types = (await eventsOf(sprint.project)).map(({ type }) => type);
    expect(types).toContain('task.reopened');
    expect(types).not.toContain('help.requested');
    expectNothingLeft(sprint);
  });

  it('are asked about where an agent has not put it right twice', async () => {
    const marks = { 'shared.txt': '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n' };
    const config = { worktrees: { onConflict: 'agent' } };
    const rounds = ['a#2', 'b#2', 'a#3', 'b#3'].map((key) => [key, marks]);
    const sprint = await parallelSprint(
      { ...plan, ...Object.fromEntries(rounds) },
      { config, tasks: ['a', 'b'] },
    );
    const end = await sprint.run({ wait: false }).ended;
    expect(end.outcome).toBe('blocked');
    expect(end.reason).toContain('not put right yet: shared.txt');
  });
});
