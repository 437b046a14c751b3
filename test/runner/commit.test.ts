import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { allGone } from '../../src/lib/processes/terminate.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { agentCmd, eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';
import type { TestGit } from '../helpers/temp-repository.ts';
import { untilFile } from '../helpers/until-file.ts';

beforeEach(withoutGitConfig);

const done = { outcome: 'completed', reason: 'all tasks are done' };

const runnerProgram = fixtureProgram('run-sprint.ts');

function hook(git: TestGit, name: string, script: string): void {
  git.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(git('rev-parse', '--show-toplevel'), '.git/hooks', name), 0o755);
}

type Plan = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** A sprint in a repository, whose tasks become commits. Its agents write these files, by task. */
async function committing(plan: Plan, tasks = ['a']) {
  const made = await freshSprint({ tasks, manifest: { commit: true } });
  const git = makeRepository(made.root);
  git.write({ 'old.txt': 'old\n', 'sub/other.txt': 'other\n' });
  git.commitAll();
  const script = join(made.root, '.clifford', 'plan.json');
  await writeFile(script, JSON.stringify(plan));
  const command = agentHere('change-files', '.clifford/plan.json');
  const run = () => startRun(made.root, { agentCmd: command, sprint: 'demo' }).ended;
  return { ...made, git, run };
}

const outcomes = async (project: Project) =>
  (await eventsOf(project))
    .filter((event): event is StoredEvent<'task.committed' | 'task.uncommitted'> =>
      /^task\.(un)?committed$/.test(event.type),
    )
    .map(({ subject, data }) => ({ subject, ...data }));

const filesOf = (git: TestGit, commit = 'HEAD') =>
  git('show', '--name-status', '--no-renames', '--format=', commit).split('\n').toSorted();

// What git is told. That it is told once, whatever ends the run, is below, with either log.
describe('a task that becomes a commit', () => {
  it('is one commit of what it changed, made, removed and moved, with the manifest that says so', async () => {
    const { git, project, run } = await committing({
      a: {
        'new/file with blank.txt': 'new\n',
        'old.txt': null,
        'moved.txt': 'old\n',
        'sub/other.txt': 'changed\n',
      },
    });
    expect(await run()).toEqual(done);
    expect(readdirSync(join(project.dir, 'claims'))).toEqual([]);
    const files = [
      'A\tmoved.txt',
      'A\tnew/file with blank.txt',
      'D\told.txt',
      'M\tsprints/demo/manifest.json',
      'M\tsub/other.txt',
    ];
    expect(filesOf(git)).toEqual(files);
    expect(git('log', '-1', '--format=%an <%ae>%n%cn%n%B')).toBe(
      'Ada <ada@example.com>\nAda\nTask a\n\nClifford-Sprint: demo\nClifford-Task: a\nClifford-Attempt: 1\n'.trim(),
    );
    expect(git('log', '-1', '--format=%(trailers:key=Clifford-Task,valueonly)').trim()).toBe('a');
    expect(await outcomes(project)).toEqual([
      {
        subject: 'demo/a',
        sha: git('rev-parse', 'HEAD'),
        files: files.map((line) => line.slice(2)),
        attempt: 1,
        title: 'Task a',
      },
    ]);
    expect(git.status()).toEqual([' M sprints/demo/manifest.json']);
  });

  it('is committed before the next one starts, and the last before the sprint is completed', async () => {
    const { git, project, run } = await committing({ a: { 'a.txt': 'a' }, b: { 'b.txt': 'b' } }, ['a', 'b']);
    expect(await run()).toEqual(done);
    const types = (await typesOf(project)).filter((type) => /^task\.|sprint\.completed/.test(type));
    const perTask = ['task.started', 'task.completed', 'task.committed'];
    expect(types).toEqual([...perTask, ...perTask, 'sprint.completed']);
    expect(git('log', '--format=%s')).toBe('Task b\nTask a\nbefore');
    expect(filesOf(git, 'HEAD~1')).toContain('A\ta.txt');
    expect(filesOf(git)).toContain('A\tb.txt');
  });

  it('leaves out what its user had changed before, and leaves the index as it was', async () => {
    const { git, run } = await committing({ a: { 'old.txt': 'by the task\n', 'new.txt': 'new\n' } });
    git.write({ 'sub/other.txt': 'staged\n', 'mine.txt': 'mine\n', 'staged-new.txt': 'staged\n' });
    git('add', 'sub/other.txt', 'staged-new.txt');
    git.write({ 'sub/other.txt': 'staged and changed\n' });
    const before = git.status();
    expect(await run()).toEqual(done);
    expect(filesOf(git)).toEqual(['A\tnew.txt', 'M\told.txt', 'M\tsprints/demo/manifest.json']);
    expect(git.status().toSorted()).toEqual([' M sprints/demo/manifest.json', ...before].toSorted());
    expect(git('show', ':sub/other.txt')).toBe('staged');
  });
});

describe('the commit of a task', () => {
  it('is made also when its agent completed the sprint', async () => {
    const { git, project, root } = await committing({});
    git.write({ 'later.txt': 'written by a test' });
    const command = `sh -c 'echo x >new.txt; exec ${agentCmd('finish-sprint')}'`;
    expect(await startRun(root, { agentCmd: command }).ended).toEqual(done);
    expect(await outcomes(project)).toMatchObject([{ subject: 'demo/a', sha: git('rev-parse', 'HEAD') }]);
    expect((await typesOf(project)).slice(-3)).toEqual([
      'sprint.completed',
      'agent.exited',
      'task.committed',
    ]);
  });

  it('holds what attempts before a reset have changed', async () => {
    const { git, project, root, run } = await committing({ a: { 'second.txt': 'x' } });
    const failing = `sh -c 'echo x >first.txt; exit 3'`;
    expect(await startRun(root, { agentCmd: failing }).ended).toMatchObject({ outcome: 'failed' });
    expect(await run()).toEqual(done);
    expect(filesOf(git)).toEqual(['A\tfirst.txt', 'A\tsecond.txt', 'M\tsprints/demo/manifest.json']);
    expect(await outcomes(project)).toMatchObject([{ attempt: 2 }]);
  });

  it('that is not made is told of, and the sprint goes on', async () => {
    const { git, project, run } = await committing({ a: { '.env': 'A=1' }, b: { 'b.txt': 'b' } }, ['a', 'b']);
    expect(await run()).toEqual(done);
    expect(await outcomes(project)).toMatchObject([
      { subject: 'demo/a', reason: expect.stringContaining('.env by its name') },
      { subject: 'demo/b', files: ['b.txt', 'sprints/demo/manifest.json'] },
    ]);
    expect(git.status()).toContain('?? .env');
  });

  it('is not made where nobody wanted it when the run began, whatever the configuration says meanwhile', async () => {
    const { git, project, root, dir } = await committing({ a: { 'a.txt': 'a' }, b: { 'b.txt': 'b' } }, [
      'a',
      'b',
    ]);
    const tasks = [
      { id: 'a', file: 'a.md', commit: false },
      { id: 'b', file: 'b.md' },
    ];
    await writeFile(join(dir, 'manifest.json'), JSON.stringify({ id: 'demo', tasks }));
    const config = join(root, 'clifford.json');
    await writeFile(config, JSON.stringify({ commit: false }));
    const command = agentHere('change-files', '.clifford/plan.json');
    const run = startRun(root, { agentCmd: command });
    run.runner.on('task-start', ({ task }) => {
      if (task === 'b') writeFileSync(config, JSON.stringify({ commit: true }));
    });
    expect(await run.ended).toEqual(done);
    expect(await outcomes(project)).toEqual([]);
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  });
});

describeOnEachEngine('the commit of a task whose run was ended', () => {
  it('by Ctrl-C is made by the next run, and nothing of its hook is left', async () => {
    const { git, project, root, run } = await committing({ a: { 'a.txt': 'a' } });
    hook(git, 'pre-commit', 'test -f pid && exit 0; echo $$ >pid.tmp; mv pid.tmp pid; exec sleep 600');
    const first = startRun(root, { agentCmd: agentHere('change-files', '.clifford/plan.json') });
    const pid = Number(await untilFile(join(root, 'pid')));
    await first.runner.stop('Ctrl-C');
    expect(await first.ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    expect(await allGone([pid], 0)).toBe(true);
    expect(await outcomes(project)).toEqual([]);

    expect(await run()).toEqual(done);
    expect(await outcomes(project)).toMatchObject([{ sha: git('rev-parse', 'HEAD'), attempt: 1 }]);
  });

  it.runIf(hasProcessTable).each([
    ['before', 'pre-commit', 'test -f pid && exit 0'],
    ['after', 'post-commit', 'true'],
  ])('by a kill just %s it is made once', async (_, name, first) => {
    const { git, project, root, stateDir, run } = await committing({ a: { 'a.txt': 'a' } });
    hook(git, name, `${first}; echo $$ >pid.tmp; mv pid.tmp pid; exec sleep 600`);
    const command = agentHere('change-files', '.clifford/plan.json');
    const killed = spawn(process.execPath, [runnerProgram, stateDir, command], { stdio: 'ignore' });
    const pid = Number(await untilFile(join(root, 'pid')));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await allGone([pid], 0)).toBe(false);

    expect(await run()).toEqual(done);
    expect(await allGone([pid], 0)).toBe(true);
    expect(git('log', '--format=%s')).toBe('Task a\nbefore');
    expect(await outcomes(project)).toMatchObject([{ sha: git('rev-parse', 'HEAD'), attempt: 1 }]);
    expect(git.status().filter((line) => !line.includes('pid'))).toEqual([' M sprints/demo/manifest.json']);
  });
});
