import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { isClaimedHere } from '../../src/workflow/worktree/worktree-claims.ts';
import { mergeAnswers } from '../../src/workflow/worktree/worktree-request.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { byOrdinary, giveToOrdinary, isRoot } from '../helpers/ordinary-user.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { gitIn, withoutGitConfig } from '../helpers/temp-repository.ts';
import { answer, livesOf, parallelSprint, stuckRequest } from '../runner/parallel/support.ts';
import { commitOf, landUntil } from '../workflow/landing/landing-world.ts';

beforeEach(withoutGitConfig);

/** What is in this folder: nothing, too, where it went with the last worktree in it, as who may change the one above it can. */
const foldersIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** A sprint whose first task has failed in its worktree, with a file that no commit has. */
async function withFailedTask() {
  const sprint = await parallelSprint({ a: {}, b: { 'b.txt': 'b\n' } });
  await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
  const folder = join(sprint.worktrees, 'demo/a');
  return {
    ...sprint,
    folder,
    clean: (...args: string[]) => clifford(['clean', ...args], { cwd: sprint.root }),
  };
}

/** A completed task that cannot be merged: a file of the user's is in the way. No run is at work. */
async function withStuckTask() {
  const sprint = await parallelSprint({ a: { 'shared.txt': 'a\n' } });
  writeFileSync(join(sprint.root, 'shared.txt'), 'mine\n');
  expect((await sprint.run({ wait: false }).ended).outcome).toBe('blocked');
  return { ...sprint, cli: (...args: string[]) => clifford(args, { cwd: sprint.root }) };
}

/** Runs the command to give up a worktree that was printed, as it was printed. */
function runPrinted(text: string, cwd: string) {
  const [, args = text] = /clifford (clean --drop .*)$/m.exec(text) ?? [];
  return clifford(args.split(' '), { cwd });
}

describeOnEachEngine('what is said about giving up a worktree works as it is printed', () => {
  it('by clean, of a task whose sprint is cancelled', async () => {
    const { root, cli, project } = await withStuckTask();
    await cli('cancel', '--sprint', 'demo');
    const dropped = await runPrinted((await cli('clean')).out, root);
    expect(dropped).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^removed demo\/a: it was given up/),
    });
    expect(await livesOf(project)).toContain('a removed');
  });

  it('by clean, of one that is merged and has changed since', async () => {
    const { root, git, folder, clean, project } = await withFailedTask();
    const data = { sha: git('rev-parse', 'HEAD'), into: 'main' };
    await project.record('demo', [{ type: 'worktree.merged', subject: 'demo/a', data }]);
    git('-C', folder, 'rm', '--quiet', 'other.txt');
    const { out } = await clean();
    expect(out).toMatch(
      /^stays demo\/a: its changes are in main, but 1 changed file that no commit has since/,
    );
    expect((await runPrinted(out, root)).out).toMatch(/^removed demo\/a: it was given up/);
    expect(existsSync(folder)).toBe(false);
  });

  it('by who would skip a task that is to be merged yet', async () => {
    const { root, cli, project } = await withStuckTask();
    await answer(project, await stuckRequest(project, 'a'), mergeAnswers.again);
    const refused = await cli('skip', 'a');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('Its changes are not merged yet'),
    });
    expect((await runPrinted(refused.err, root)).out).toMatch(/^removed demo\/a: it was given up/);
  });

  it('is what its question waits for, too; that the task is skipped is said, with what has it done anew', async () => {
    const { root, cli, project } = await withStuckTask();
    const { id } = await stuckRequest(project, 'a');
    const { err } = await cli('clean', '--drop', 'a');
    const [, retry = ''] =
      /^note: a is skipped with that\. .* clifford (retry a --sprint demo)$/m.exec(err) ?? [];
    const { streams } = await project.refresh();
    expect(streams.get('demo')?.requests.get(id)?.phase).toBe('dismissed');
    expect(await clifford(retry.split(' '), { cwd: root })).toMatchObject({ code: 0 });
    await project.refresh();
    expect(nameOf(project.state.streams.get('demo')?.tasks.get('a')?.machine.value ?? '')).toBe('pending');
  });

  it('and is not said of one that a run is at work on', async () => {
    const sprint = await parallelSprint({ a: {} });
    const run = sprint.run({ agentCmd: agentHere('hang-first') });
    await run.printed(/ready/);
    const { out } = await clifford(['clean'], { cwd: sprint.root });
    expect(out).not.toContain('--drop');
    await run.runner.stop();
  });
});

describe('a worktree that git says nothing clear of', () => {
  /** What clean and doctor say of it, and the command that is advised, as it was printed. */
  async function said(root: string) {
    const { code, out } = await clifford(['clean', '--dry-run'], { cwd: root });
    expect({ code, given: out.includes('--drop') }).toEqual({ code: 0, given: false });
    const doctor = await clifford(['doctor'], { cwd: root });
    const advice = /: (git (?:worktree repair|branch) .*?) \(\.\.\/.*, branch /.exec(out)?.[1] ?? '';
    return { out, advice, doctor: doctor.out };
  }

  it('is named where the project was moved, and found again with what is advised', async () => {
    const { root, worktrees } = await withFailedTask();
    const moved = `${root}-moved`;
    renameSync(root, moved);
    onTestFinished(() => renameSync(moved, root));
    renameSync(worktrees, `${moved}.worktrees`);
    onTestFinished(() => rmSync(`${moved}.worktrees`, { recursive: true, force: true }));
    // As the log names it.
    symlinkSync(`${moved}.worktrees`, worktrees);
    const { out, advice, doctor } = await said(moved);
    expect(out).toMatch(/^stays demo\/a: the project was moved since the worktree .* was made/);
    expect(out).not.toContain('of before');
    expect(doctor).toContain('task a of demo: the project was moved since');
    gitIn(moved)(...advice.split(' ').slice(1));
    expect((await clifford(['clean'], { cwd: moved })).out).toMatch(/^stays demo\/a: its task failed/);
  });

  it('is left alone where the project is a copy of the one that it is of', async () => {
    const { root, folder, git } = await withFailedTask();
    const copy = `${root}-copy`;
    cpSync(root, copy, { recursive: true });
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    const { out } = await clifford(['clean', '--drop', 'a'], { cwd: copy });
    expect(out).toMatch(/^stays demo\/a: the worktree .* is of another repository, /);
    expect(existsSync(folder)).toBe(true);
    expect(git('branch', '--list', 'clifford/demo/a')).toContain('clifford/demo/a');
  });

  it.each([
    {
      how: 'its branch was removed',
      args: ['update-ref', '-d', 'refs/heads/clifford/demo/a'],
      advised: 'git branch',
    },
    {
      how: 'there is no branch main any more',
      args: ['branch', '-m', 'main', 'trunk'],
      advised: 'git branch -m trunk main',
    },
  ])(
    'is named where $how, and the branch is there again with what is advised',
    async ({ how, args, advised }) => {
      const { root, git, folder } = await withFailedTask();
      git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'work');
      const tip = git('rev-parse', 'clifford/demo/a');
      git(...args);
      const { out, advice, doctor } = await said(root);
      expect(out).toContain(how.replace('its branch', 'its branch clifford/demo/a'));
      expect(doctor).toContain(how.replace('its branch', 'its branch clifford/demo/a'));
      expect(advice.startsWith(advised)).toBe(true);
      git(...advice.split(' ').slice(1));
      expect(git('rev-parse', 'clifford/demo/a')).toBe(tip);
      expect((await clifford(['clean'], { cwd: root })).out).toMatch(
        /its task failed.*, 1 commit that no other branch has/,
      );
    },
  );
});

describe('a worktree that resists', () => {
  /** A sprint of an ordinary user, and what that one does. Its agents end with success, with each task. */
  async function ofOrdinary(worktrees: object) {
    const config = { done: 'exit-0', verify: ['true'], worktrees };
    const sprint = await parallelSprint({ a: {}, b: {} }, { config });
    const { root } = sprint;
    // Beside the project, where the ordinary user may make nothing.
    mkdirSync(sprint.worktrees);
    sprint.git.write({ '.gitignore': '/vendor/\n/cache/\n/ready\n' });
    sprint.git.commitAll();
    const own = () => giveToOrdinary(root, sprint.worktrees);
    const env = { HOME: join(root, '.clifford'), XDG_STATE_HOME: join(root, '.clifford') };
    const call = async (...args: readonly string[]) =>
      startClifford(args, { cwd: root, env, by: byOrdinary }).ended;
    const run = () => call('run', 'demo', '--plain', '--parallel', '2', '--agent-cmd', 'true');
    return { ...sprint, own, run, call };
  }

  it('goes where only folders in it are read-only, which were made there or copied', async () => {
    const setup = '/bin/sh -c "mkdir -p cache/mod && touch cache/mod/file && chmod 555 cache/mod cache"';
    const { root, worktrees, own, run, project } = await ofOrdinary({ setup, copy: ['vendor'] });
    const folders = [join(root, 'vendor/mod'), join(root, 'vendor')];
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    for (const folder of folders) {
      writeFileSync(join(folder, 'file'), '');
      chmodSync(folder, 0o555);
    }
    onTestFinished(() => {
      for (const folder of folders.toReversed()) chmodSync(folder, 0o755);
    });
    own();
    expect(await run()).toMatchObject({ code: 0, err: expect.not.stringContaining('stays') });
    expect(foldersIn(worktrees)).toEqual([]);
    expect(await livesOf(project)).toEqual(expect.arrayContaining(['a removed', 'b removed']));
  });

  it.runIf(isRoot)(
    'stays where somebody else has files in it: that is said, and neither a run nor another one waits for it',
    async () => {
      const { root, worktrees, own, run, call, project } = await ofOrdinary({
        setup: 'ls ready',
        copy: ['ready'],
      });
      own();
      expect(await run()).toMatchObject({ code: 1 });
      const theirs = join(worktrees, 'demo/a/cache/theirs');
      mkdirSync(theirs, { recursive: true });
      writeFileSync(join(theirs, 'file'), '');
      const stays =
        /the worktree of task a stays: (\S+) cannot be removed: EACCES.*theirs.*remove it with: sudo (rm -rf .*)/;
      writeFileSync(join(root, 'ready'), '');
      // It is made anew beside that, and the next run finds what the first one has left.
      for (const _ of ['first', 'next']) {
        const { code, out, err } = await run();
        expect({ code, said: `${out}${err}` }).toEqual({ code: 0, said: expect.stringMatching(stays) });
      }
      expect(await livesOf(project)).toEqual(expect.arrayContaining(['a merged', 'b removed']));
      const { code, out } = await call('clean');
      const [, folder = '', command = ''] =
        /^stays demo\/a: (\S+) cannot .* sudo (rm -rf \S+)/.exec(out) ?? [];
      expect({ code, folder: dirname(folder) }).toEqual({ code: 0, folder: join(worktrees, 'demo') });
      execFileSync('/bin/sh', ['-c', command]);
      expect((await call('clean')).out).toMatch(/^removed demo\/a: /);
      expect(foldersIn(worktrees)).toEqual([]);
    },
  );
});

describeOnEachEngine('clifford clean', () => {
  it('says that there is nothing where no task has a worktree', async () => {
    const { root } = await parallelSprint({ a: {} });
    expect(await clifford(['clean'], { cwd: root })).toMatchObject({
      code: 0,
      out: 'No task has a worktree\n',
    });
  });

  it('keeps what is neither merged nor given up, and says why', async () => {
    const { git, folder, clean } = await withFailedTask();
    git('-C', folder, 'rm', '--quiet', 'other.txt');
    const { code, out } = await clean();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^stays demo\/a: its task failed, the next run goes on in it, 1 changed file that no commit has \(\.\.\/.*\/demo\/a, branch clifford\/demo\/a\)\nTo give up what is in one: clifford clean --drop a --sprint demo\n$/,
    );
    expect(existsSync(folder)).toBe(true);
  });

  it('names what git knows here of a task whose worktree the log knows no more, and removes none of it', async () => {
    const { git, worktrees, clean } = await withFailedTask();
    // As on a machine whose task another one has begun anew, merged and removed since.
    const [onBranch, onNone] = [join(worktrees, 'demo/b'), join(worktrees, 'demo/b-2')];
    git('worktree', 'add', '--quiet', '-b', 'clifford/demo/b', onBranch);
    git('-C', onBranch, 'commit', '--quiet', '--allow-empty', '-m', 'of before');
    gitIn(onBranch).write({ 'new.txt': 'new\n' });
    git('worktree', 'add', '--quiet', '--detach', onNone);
    // Somebody's own, or of another log.
    git('worktree', 'add', '--quiet', '--detach', join(worktrees, 'other/b'));
    git('worktree', 'add', '--quiet', '-b', 'own', join(worktrees, 'demo/b-3'));
    // Of another project of the repository, which has its own log.
    const ofOther = await tempRoot();
    git('worktree', 'add', '--quiet', '-b', 'clifford/demo/b-4', join(ofOther, 'demo/b-4'));
    const { worktrees: told } = JSON.parse((await clean('--json')).out) as { worktrees: object[] };
    const ofBefore = (content: string) =>
      new RegExp(
        `^it is of before, or of another checkout of this repository, and this log does not know it${content}; look at it, commit what is wanted, and remove it with git worktree remove `,
      );
    expect(told).toEqual([
      expect.objectContaining({ taskId: 'a', is: 'stays' }),
      expect.objectContaining({
        stream: 'demo',
        taskId: 'b',
        is: 'stays',
        branch: 'clifford/demo/b',
        why: expect.stringMatching(
          ofBefore(': 1 commit that no other branch has and 1 changed file that no commit has'),
        ),
      }),
      expect.objectContaining({ taskId: 'b', is: 'stays', why: expect.stringMatching(ofBefore('')) }),
    ]);
    expect((await clean('--dry-run')).out).toMatch(
      /^stays demo\/b: it is of before, .*b-2 \(\S+b-2, on no branch\)$/m,
    );
    expect([onBranch, onNone].map((folder) => existsSync(folder))).toEqual([true, true]);
  });

  it('leaves what another machine has made to that one, where they share a log, whatever is at its path here', async () => {
    const { root, git, folder, clean, project } = await withFailedTask();
    git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    gitIn(folder).write({ 'new.txt': 'new\n' });
    // As on a machine that had the task before.
    rmSync(join(root, '.clifford/claims'), { recursive: true });
    const { out } = await clean('--dry-run');
    const isShared = !existsSync(join(root, '.clifford/events.jsonl'));
    expect(out).toMatch(
      isShared
        ? /^stays demo\/a: it was not made from this folder: clean up where it was; git knows one of before, or of another checkout of this repository, at its path here, with 1 commit that main has not and 1 changed file that no commit has: look at it, and remove it with git worktree remove \S+demo\/a /
        : /^stays demo\/a: its task failed/,
    );
    expect(existsSync(folder)).toBe(true);
    expect(await livesOf(project)).not.toContain('a removed');
    if (!isShared) return;
    // There is something else by now, or nothing.
    git('worktree', 'remove', '--force', folder);
    mkdirSync(folder, { recursive: true });
    expect((await clean('--dry-run')).out).toMatch(/; what is at its path here is nothing that git knows \(/);
    rmSync(folder, { recursive: true });
    expect((await clean('--dry-run')).out).toMatch(
      /^stays demo\/a: it was not made .*: clean up where it was \(/,
    );
  });

  it('gives up nothing of a sprint that a worker has, until it is taken from that one as is said', async () => {
    const { root, folder, clean, project } = await withFailedTask();
    writeFileSync(join(root, 'clifford.json'), JSON.stringify({ queue: { deadline: 1_000 } }));
    const taken = { type: 'job.taken', subject: 'demo', data: { worker: 'far/1' } } as const;
    await project.record('demo', [taken]);
    const { code, err } = await clean('--drop', 'a');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('worker far/1 has its sprint') });
    expect(await livesOf(project)).not.toContain('a dropped');
    const [, cancel = ''] = /clifford (queue cancel .*)/.exec(err) ?? [];
    expect(await clifford(cancel.trim().split(' '), { cwd: root })).toMatchObject({ code: 0 });
    expect((await clean('--drop', 'a')).out).toMatch(/^removed demo\/a: it was given up/);
    expect(existsSync(folder)).toBe(false);
  });

  it('removes nothing where the log is the mirror of another one: it could not be said there', async () => {
    const { root, folder, clean } = await withFailedTask();
    if (!existsSync(join(root, '.clifford/events.jsonl'))) return;
    const mark = { of: 'nats://one:4222/p', at: null, token: null };
    writeFileSync(join(root, '.clifford/mirror.json'), JSON.stringify(mark));
    const { code, err } = await clean();
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/mirror of nats:\/\/one:4222\/p/) });
    expect(existsSync(folder)).toBe(true);
    expect((await clean('--dry-run')).out).toMatch(/^stays demo\/a: its task failed/);
    // The log that it is the mirror of is another machine's, too.
    rmSync(join(root, '.clifford/claims'), { recursive: true });
    expect((await clean('--dry-run')).out).toMatch(/^stays demo\/a: it was not made from this folder/);
  });

  it('removes with --drop what somebody gives up, and records it; the next run begins anew', async () => {
    const { root, git, folder, clean, project, run } = await withFailedTask();
    git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    const tip = git('rev-parse', 'clifford/demo/a');
    const worktree = (await project.refresh()).streams.get('demo')?.tasks.get('a')?.worktree;
    expect(isClaimedHere(project, worktree)).toBe(true);
    const dropped = await clean('--drop', 'a');
    expect(dropped.out).toMatch(/^removed demo\/a: it was given up/);
    expect(existsSync(folder)).toBe(false);
    expect(git('branch', '--list')).toBe('* main');
    const removed = (await eventsOf(project)).findLast(({ type }) => type === 'worktree.removed');
    expect(removed?.data).toMatchObject({ branch: 'clifford/demo/a', sha: tip });
    expect(isClaimedHere(project, worktree)).toBe(false);
    expect((await run().ended).outcome).toBe('completed');
    expect(existsSync(join(root, 'b.txt'))).toBe(false);
  });

  it('with --drop keeps what no commit has, and says so until it is forgotten', async () => {
    const { git, folder, clean } = await withFailedTask();
    gitIn(folder).write({ 'other.txt': 'half done\n', 'new.txt': 'new\n' });
    const { out } = await clean('--drop', 'a');
    const ref = 'refs/clifford/kept/demo/a/1';
    expect(out).toMatch(/^removed demo\/a: it was given up; its 2 changed files that no commit has are kept/);
    expect(out).toContain(`\nkept demo/a: 2 files (new.txt, other.txt) had changes in its worktree`);
    expect(out).toContain(`git show ${ref} shows it`);
    expect(git('show', `${ref}:other.txt`)).toBe('half done');
    expect(JSON.parse((await clean('--json')).out)).toMatchObject({ worktrees: [], kept: [{ ref }] });
    git('update-ref', '-d', ref);
    expect((await clean()).out).toBe('No task has a worktree\n');
  });

  it('keeps the branch of a worktree that is made again, and files in one that is not ready for work', async () => {
    const { root, git, folder, clean, run } = await withFailedTask();
    git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    rmSync(folder, { recursive: true });
    writeFileSync(join(root, 'clifford.json'), JSON.stringify({ worktrees: { setup: 'false' } }));
    await run().ended;
    gitIn(folder).write({ 'mine.txt': 'mine' });
    const { out } = await clean();
    expect(out).toMatch(
      /^stays demo\/a: .*, 1 commit that no other branch has and 1 changed file that no commit has/,
    );
    expect(git('log', '-1', '--format=%s', 'clifford/demo/a')).toBe('mine');
  });

  it('with --drop leaves a task that is not over to another worktree, never to the folder of the project', async () => {
    const { clean, run, project } = await withFailedTask();
    expect((await clean('--drop', 'a')).out).toMatch(/^removed demo\/a: it was given up/);
    await run().ended;
    expect((await livesOf(project)).filter((life) => life === 'a claimed')).toHaveLength(2);
  });

  it('with --drop undoes an unfinished merge, and gives nothing up where that cannot be', async () => {
    const { root, git, clean, project } = await withFailedTask();
    const world = { root, git, one: '', other: '' };
    const before = git.status();
    const sha = commitOf(world, () => git.write({ 'half.txt': 'half' }));
    await landUntil(world, sha, 'update-ref');
    expect(git.status()).toContain('A  half.txt');
    const lock = join(root, '.git/index.lock');
    writeFileSync(lock, '');
    utimesSync(lock, 0, 0);
    const refused = await clean('--drop', 'a');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('cannot be undone') });
    expect(await livesOf(project)).not.toContain('a dropped');
    rmSync(lock);
    expect((await clean('--drop', 'a')).out).toMatch(/^removed demo\/a: it was given up/);
    expect(git.status()).toEqual(before);
  });

  it('finds the worktree that is given up, where tasks of other sprints are called the same', async () => {
    const { root, clean } = await withFailedTask();
    await writeSprint(root, { id: 'other', tasks: ['a'] });
    expect((await clean('--drop', 'a')).out).toMatch(/^removed demo\/a: it was given up/);
  });

  it('removes an empty one of a task that was skipped; with --dry-run it only says so', async () => {
    const { root, folder, clean } = await withFailedTask();
    await clifford(['skip', 'a'], { cwd: root });
    const said = await clean('--dry-run', '--json');
    expect(JSON.parse(said.out)).toMatchObject({
      worktrees: [{ stream: 'demo', taskId: 'a', is: 'goes', why: 'skipped, and nothing is in it' }],
    });
    expect(existsSync(folder)).toBe(true);
    expect((await clean()).out).toMatch(/^removed demo\/a: skipped, and nothing is in it/);
    expect(existsSync(folder)).toBe(false);
  });

  it('touches nothing of a sprint that is being run', async () => {
    const sprint = await parallelSprint({ a: {} });
    const run = sprint.run({ agentCmd: agentHere('hang-first') });
    await run.printed(/ready/);
    const { out } = await clifford(['clean'], { cwd: sprint.root });
    expect(out).toMatch(/^stays demo\/a: a run is at work on its sprint/);
    const { code, err } = await clifford(['clean', '--drop', 'a'], { cwd: sprint.root });
    expect(code).not.toBe(0);
    expect(err).toContain('a run is at work on it');
    await run.runner.stop();
  });
});
