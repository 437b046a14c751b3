import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import { completeSprint } from '../../../src/workflow/sprint/complete-sprint.ts';
import { mergeAnswers } from '../../../src/workflow/worktree/worktree-request.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { eventsOf, freshSprint, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { answer, livesOf, parallelSprint, stuckRequest } from './support.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

describeOnEachEngine('a worktree', () => {
  it('has files that git does not have, its setup, and variables of its own', async () => {
    const config = {
      verify: ['/bin/sh -c "test -f .env && test -f ready && test $PORT -gt 3000 && echo $PORT-$NAME"'],
      worktrees: {
        copy: ['.env', 'missing.txt'],
        setup: '/bin/sh -c "echo $PORT > ready"',
        env: { PORT: '{port:3000}', NAME: '{task}' },
      },
    };
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } }, { config });
    sprint.git.write({ '.env': 'KEY=1\n', '.gitignore': '.env\nready\n' });
    sprint.git('add', '.gitignore');
    sprint.git('commit', '--quiet', '-m', 'ignore');
    expect(await sprint.run().ended).toEqual(done);
    const events = await eventsOf(sprint.project);
    const printed = events.flatMap((event) => (event.type === 'verify.returned' ? [event.data.output] : []));
    const said = printed.map((text) => text.trim().split('-'));
    expect(new Set(said.map(([port]) => port))).toEqual(new Set(['3001', '3002']));
    expect(new Set(said.map(([, name]) => name))).toEqual(new Set(['a', 'b']));
    const copied = events.flatMap((event) => (event.type === 'worktree.prepared' ? event.data.copied : []));
    expect(copied).toEqual(['.env', '.env']);
    expect(sprint.git('ls-files')).not.toContain('.env\n');
    expect(existsSync(join(sprint.root, 'ready'))).toBe(false);
  });

  it('whose setup fails fails its attempt, with what was printed, and no other', async () => {
    const config = { worktrees: { setup: '/bin/sh -c "echo no network; test {task} = x"' } };
    const sprint = await parallelSprint({ a: {} }, { config });
    const end = await sprint.run().ended;
    expect(end.outcome).toBe('failed');
    const task = (await sprint.project.refresh()).streams.get('demo')?.tasks.get('a');
    expect(task?.lastFailure).toMatch(
      /Cannot set up the worktree of task a: .*ended with exit code 1: no network/s,
    );
    expect(await typesOf(sprint.project)).not.toContain('agent.started');
  });

  it('that somebody has removed is there again from its branch', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    await rm(join(sprint.worktrees, 'demo/a'), { recursive: true });
    expect(await sprint.run().ended).toEqual(done);
    expect(readFileSync(join(sprint.root, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('that is gone with its branch begins again, which the log says, and its agent is told', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    await rm(join(sprint.worktrees, 'demo/a'), { recursive: true });
    sprint.git('worktree', 'prune');
    sprint.git('branch', '--quiet', '-D', 'clifford/demo/a');
    expect(await sprint.run().ended).toEqual(done);
    const events = await eventsOf(sprint.project);
    expect(events.filter(({ type }) => type === 'worktree.remade').map(({ data }) => data)).toEqual([
      { kept: 'nothing', sha: sprint.git('rev-list', '--max-parents=0', 'HEAD') },
    ]);
    const notes = events.flatMap((event) => (event.type === 'note.sent' ? [event.data.text] : []));
    expect(notes).toEqual([expect.stringContaining('what was made in it is lost')]);
    expect(readFileSync(join(sprint.root, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('has its files and its setup again where only its folder is gone', async () => {
    const config = {
      worktrees: { copy: ['.env'], setup: '/bin/sh -c "touch ready"' },
      verify: ['test -f ready'],
    };
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } }, { config });
    sprint.git.write({ '.env': 'KEY=1\n', '.gitignore': '.env\nready\n' });
    sprint.git.commitAll();
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    await rm(join(sprint.worktrees, 'demo/a'), { recursive: true });
    expect(await sprint.run().ended).toEqual(done);
    expect(await livesOf(sprint.project)).toEqual([
      'a claimed',
      'a prepared',
      'a remade',
      'a prepared',
      'a merged',
      'a removed',
    ]);
    expect(readdirSync(join(sprint.project.dir, 'claims'))).toEqual([]);
  });

  it('that git does not know any more stays as it is: somebody has to see to it', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    const folder = join(sprint.worktrees, 'demo/a');
    writeFileSync(join(folder, 'work.txt'), 'work\n');
    await rm(join(folder, '.git'));
    const end = await sprint.run().ended;
    expect(end.outcome).toBe('failed');
    expect(readFileSync(join(folder, 'work.txt'), 'utf8')).toBe('work\n');
    const task = (await sprint.project.refresh()).streams.get('demo')?.tasks.get('a');
    expect(task?.lastFailure).toContain(`git does not know the worktree ${folder} any more`);
  });

  it('in which an agent was killed while it committed takes the commit of the next', async () => {
    const config = { done: 'exit-0', verify: ['true'] };
    const sprint = await parallelSprint({ a: {} }, { config });
    const script = join(sprint.root, '.clifford', 'agent.sh');
    writeFileSync(
      script,
      `lock=$(git rev-parse --git-path index.lock)
      if ! test -e a.txt; then echo a > a.txt; touch "$lock"; exit 1; fi
      git add a.txt && git commit --quiet --message 'By the agent'`,
    );
    const run = sprint.run({ agentCmd: `/bin/sh ${script}`, maxAttempts: 2 });
    expect(await run.ended).toEqual(done);
    expect(sprint.git('log', '--format=%s', '--', 'a.txt')).toBe('By the agent');
  });

  it('is not made inside of the project, nor where there is no branch', async () => {
    const inside = await parallelSprint({ a: {} }, { config: { worktrees: { dir: 'work' } } });
    await expect(inside.run().ended).rejects.toMatchObject({ code: 'PARALLEL_UNUSABLE' });
    const detached = await parallelSprint({ a: {} });
    detached.git('checkout', '--quiet', '--detach');
    await expect(detached.run().ended).rejects.toMatchObject({
      code: 'PARALLEL_UNUSABLE',
      fix: 'Check out a branch, or run with --parallel 1',
    });
  });

  it('is gone on with by a run of one task at a time', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    expect(await sprint.run({ parallel: 1 }).ended).toEqual(done);
    expect(await livesOf(sprint.project)).toContain('a merged');
    expect(existsSync(sprint.worktrees)).toBe(false);
  });
});

describeOnEachEngine('a merge', () => {
  it('waits for what is verified on the two together, and asks where that fails', async () => {
    // Each is right by itself: together there are two files.
    const sprint = await parallelSprint(
      { a: { 'made/a.txt': 'a\n' }, b: { 'made/b.txt': 'b\n' } },
      { manifest: { verify: ['/bin/sh -c "test $(ls made 2>/dev/null | wc -l) -lt 2"'] } },
    );
    const run = sprint.run();
    const task = await sprint.project.until((state) => {
      const all = [...(state.streams.get('demo')?.tasks.values() ?? [])];
      return all.find(({ worktree }) => worktree?.phase === 'stuck');
    });
    expect(task.worktree?.stuck?.why).toBe('verify');
    // What does not hold is in nobody's branch.
    expect(sprint.git('ls-files', 'made').split('\n')).toHaveLength(1);
    await run.runner.stop();
  });

  it('waits for the files of a human that are in its way', async () => {
    const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } });
    writeFileSync(join(sprint.root, 'shared.txt'), 'mine\n');
    const run = sprint.run();
    const request = await stuckRequest(sprint.project, 'a');
    expect(request.asked.options).toEqual([mergeAnswers.again, mergeAnswers.drop]);
    expect(readFileSync(join(sprint.root, 'shared.txt'), 'utf8')).toBe('mine\n');
    sprint.git('checkout', '--quiet', '--', 'shared.txt');
    await answer(sprint.project, request, mergeAnswers.again);
    expect(await run.ended).toEqual(done);
    expect(readFileSync(join(sprint.root, 'shared.txt'), 'utf8')).toBe('a\n');
  });

  it.each([
    { isBranchGone: true, lost: 'what was made in it is lost', remedy: 'git fsck --lost-found' },
    { isBranchGone: false, lost: 'what no commit had is lost', remedy: 'git worktree add' },
  ])('of a task whose worktree is gone is asked about: $lost', async ({ isBranchGone, lost, remedy }) => {
    const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } });
    const { git, project } = sprint;
    // The runner leaves what is completed to the next one: the hook keeps the commit from being made.
    git.write({ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' });
    chmodSync(join(sprint.root, '.git/hooks/pre-commit'), 0o755);
    const first = sprint.run();
    const refused = await stuckRequest(project, 'a');
    await first.runner.stop();
    await rm(join(sprint.root, '.git/hooks/pre-commit'));
    await rm(join(sprint.worktrees, 'demo/a'), { recursive: true });
    git('worktree', 'prune');
    if (isBranchGone) git('branch', '--quiet', '-D', 'clifford/demo/a');
    await answer(project, refused, mergeAnswers.again);
    const run = sprint.run();
    const request = await project.until((state) => {
      const all = [...(state.streams.get('demo')?.requests.values() ?? [])];
      return all.find(({ id, phase }) => id !== refused.id && phase === 'open');
    });
    expect(request.asked.question).toContain(lost);
    expect(request.asked.reason).toContain(remedy);
    await answer(project, request, mergeAnswers.agent);
    expect(await run.ended).toEqual(done);
    expect(readFileSync(join(sprint.root, 'shared.txt'), 'utf8')).toBe('a\n');
  });

  it('takes up what a human has committed meanwhile', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    const { git } = sprint;
    const run = sprint.run();
    await sprint.project.until((state) => state.streams.get('demo')?.tasks.get('a')?.worktree);
    git.write({ 'mine.txt': 'mine\n' });
    git('add', 'mine.txt');
    git('commit', '--quiet', '-m', 'Mine');
    expect(await run.ended).toEqual(done);
    expect(git('ls-files', 'a.txt', 'mine.txt').split('\n')).toEqual(['a.txt', 'mine.txt']);
    expect(git.status()).toEqual([' M sprints/demo/manifest.json']);
  });

  it('does not take what seems to be a secret: a human is asked', async () => {
    const sprint = await parallelSprint({ a: { '.env': 'KEY=1\n' } });
    const run = sprint.run();
    const request = await stuckRequest(sprint.project, 'a');
    expect(request.asked.question).toContain('it seems to contain a secret: .env by its name');
    expect(readFileSync(join(sprint.worktrees, 'demo/a/.env'), 'utf8')).toBe('KEY=1\n');
    await run.runner.stop();
  });

  it('is waited for by the sprint: nobody completes it before', async () => {
    const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } });
    writeFileSync(join(sprint.root, 'shared.txt'), 'mine\n');
    const run = sprint.run();
    await stuckRequest(sprint.project, 'a');
    const { project } = sprint;
    await expect(completeSprint(project, { stream: 'demo', by: 'agent' })).rejects.toThrow(/blocked/);
    const task = project.state.streams.get('demo')?.tasks.get('a');
    expect(task && nameOf(task.machine.value)).toBe('done.completed');
    await run.runner.stop();
  });
});

describeOnEachEngine('without git', () => {
  const at = async (manifest: object) => {
    const made = await freshSprint({ manifest });
    const run = startRun(made.root, { sprint: 'demo', parallel: 2, agentCmd: agentHere('complete') });
    return { ...made, ...run };
  };
  const tasks = (...paths: readonly (readonly string[] | undefined)[]) => ({
    tasks: paths.map((each, at) => ({ id: `t${at + 1}`, file: 'a.md', ...(each && { paths: each }) })),
  });
  /** Whether the second agent was started before the first one had ended. */
  const overlapped = (types: readonly string[]) =>
    types.indexOf('task.started', types.indexOf('task.started') + 1) < types.indexOf('agent.exited');

  it('tasks that say that they change different files run side by side', async () => {
    const { project, ended } = await at(tasks(['src/a/'], ['src/b/', 'docs/*.md']));
    expect(await ended).toEqual(done);
    expect(overlapped(await typesOf(project))).toBe(true);
  });

  it.each([
    { why: 'one is below the other', manifest: tasks(['src/'], ['src/b/x.ts']) },
    { why: 'a wildcard may mean the same', manifest: tasks(['src/*/x.ts'], ['src/b/']) },
    { why: 'one does not say what it changes', manifest: tasks(['src/a/'], undefined) },
    { why: 'what they do is verified', manifest: { ...tasks(['a/'], ['b/']), verify: ['true'] } },
  ])('others run one after the other: $why', async ({ manifest }) => {
    const { project, ended } = await at(manifest);
    expect(await ended).toEqual(done);
    expect(overlapped(await typesOf(project))).toBe(false);
  });
});

describeOnEachEngine('tasks at once', () => {
  it('share a budget: what one has used keeps the next from being started', async () => {
    const config = { budget: { sprint: { tokens: 1 } } };
    const sprint = await parallelSprint({ a: {}, b: {}, c: {} }, { config });
    const usage = { runId: 'run-before', tokens: { input: 5, output: 5 } };
    const run = sprint.run();
    await sprint.project.until((state) => state.streams.get('demo')?.tasks.get('a')?.worktree);
    await sprint.project.record('demo', [{ type: 'agent.usage', subject: 'demo/a', data: usage }]);
    const end = await run.ended;
    expect(end.outcome).toBe('overspent');
  });

  it('are as many as the manifest says, and no more', async () => {
    const made = await freshSprint({ tasks: ['a', 'b', 'c'], manifest: { parallel: 2 } });
    makeRepository(made.root).commitAll();
    const run = startRun(made.root, { sprint: 'demo', agentCmd: agentHere('hang-first') });
    await made.project.until((state) => {
      const all = [...(state.streams.get('demo')?.tasks.values() ?? [])];
      return all.filter(({ agent }) => agent).length === 2 ? true : undefined;
    });
    await run.runner.stop();
    const ends = (await eventsOf(made.project)).filter(({ type }) => /^task[.](started|failed)$/.test(type));
    expect(ends.map(({ subject, type, data }) => ({ subject, type, data }))).toMatchObject([
      { type: 'task.started', subject: expect.stringMatching(/[ab]$/) },
      { type: 'task.started', subject: expect.stringMatching(/[ab]$/) },
    ]);
    await rm(`${made.root}.worktrees`, { recursive: true });
  });

  it('a number that makes no sense is refused before anything is started', async () => {
    const made = await freshSprint({ manifest: { parallel: 'many' } });
    const run = startRun(made.root, { sprint: 'demo', agentCmd: agentHere('complete') });
    await expect(run.ended).rejects.toThrow(/parallel: it must be a whole number from 1 to 64/);
  });
});
