import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { landCommit } from '../../../src/workflow/worktree/land-commit.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig, type TestGit } from '../../helpers/temp-repository.ts';

/** A project with a commit on each of two branches: they change lines of one file that are far from each other. */
type World = { readonly root: string; readonly git: TestGit; readonly one: string; readonly other: string };

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`);

async function makeWorld({ refFormat = 'files' } = {}): Promise<World> {
  withoutGitConfig();
  onTestFinished(() => void vi.unstubAllEnvs());
  const root = await tempRoot();
  const git = refFormat === 'files' ? makeRepository(root) : gitIn(root);
  if (refFormat !== 'files') {
    git('init', '--quiet', '--initial-branch', 'main', `--ref-format=${refFormat}`);
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
  }
  git.write({ 'lines.txt': LINES.join('\n'), 'old.txt': 'old', 'mine.txt': 'mine' });
  git.commitAll();
  const commitOn = (branch: string, change: () => void) => {
    git('checkout', '--quiet', '-b', branch, 'main');
    change();
    git.commitAll(branch);
    return git('rev-parse', 'HEAD');
  };
  const one = commitOn('one', () => {
    git.write({ 'lines.txt': ['one', ...LINES.slice(1)].join('\n'), 'new/made.txt': 'made' });
    git('rm', '--quiet', 'old.txt');
  });
  const other = commitOn('other', () =>
    git.write({ 'lines.txt': [...LINES.slice(0, -1), 'other'].join('\n') }),
  );
  git('checkout', '--quiet', 'main');
  return { root, git, one, other };
}

function land({ root }: World, sha: string, { env = {}, signal = new AbortController().signal } = {}) {
  return landCommit(
    { cwd: root, signal, env },
    { sha, into: 'main', message: 'landed', dir: join(root, '.clifford') },
  );
}

/** Git stands still in front of this command of a landing, or behind it, and is ended there. */
async function landUntil(
  world: World,
  sha: string,
  command: 'update-index' | 'update-ref',
  { isDone = false, leaves = [] as readonly string[] } = {},
): Promise<void> {
  const bin = join(world.root, '.clifford', 'bin');
  const [reached, path] = [join(bin, 'reached'), process.env['PATH'] ?? ''];
  // The landing's own index is not the one that is meant.
  const left = leaves.map((lock) => `: > '${join(world.root, '.git', lock)}'; `).join('');
  const script = `#!/bin/sh
case "$GIT_INDEX_FILE $*" in
  " "*" ${command} "*) ${isDone ? `PATH='${path}' git "$@"; ` : ''}${left}: > '${reached}'; exec sleep 100 ;;
esac
PATH='${path}' exec git "$@"
`;
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const stopping = new AbortController();
  const env = { PATH: `${bin}:${path}` };
  const landing = land(world, sha, { env, signal: stopping.signal });
  await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 20_000 });
  stopping.abort(new Error('ended'));
  await expect(landing).rejects.toThrow('ended');
}

it.each(['update-index', 'update-ref'] as const)(
  'a landing that is ended in front of its %s is no hindrance to that of another commit',
  async (command) => {
    const world = await makeWorld();
    const { root, git, one, other } = world;
    git.write({ 'mine.txt': 'changed by hand' });
    await landUntil(world, one, command);
    expect(readFileSync(join(root, 'new/made.txt'), 'utf8')).toBe('made');

    expect(await land(world, other)).toBe('landed');
    expect(git('rev-parse', 'main')).toBe(other);
    expect(git.status()).toEqual([' M mine.txt']);
    expect(existsSync(join(root, 'new'))).toBe(false);
    expect(await land(world, one)).toBe('moved');
    expect(git.status()).toEqual([' M mine.txt']);
  },
);

it.each(['update-index', 'update-ref'] as const)(
  'a landing that is ended in front of its %s comes to its end when it is begun again',
  async (command) => {
    const world = await makeWorld();
    const { root, git, one } = world;
    await landUntil(world, one, command);
    expect(await land(world, one)).toBe('landed');
    expect(git('rev-parse', 'main')).toBe(one);
    expect(git.status()).toEqual([]);
    expect(existsSync(join(root, '.clifford', 'landing'))).toBe(false);
  },
);

it.each([
  ['update-index', ['index.lock']],
  ['update-ref', ['HEAD.lock', 'refs/heads/main.lock']],
] as const)(
  'locks of git that was killed in its %s are removed by the next landing',
  async (command, leaves) => {
    const world = await makeWorld();
    const { root, git, one, other } = world;
    await landUntil(world, one, command, { leaves });
    expect(await land(world, other)).toBe('landed');
    expect(git.status()).toEqual([]);
    for (const lock of leaves) expect(existsSync(join(root, '.git', lock))).toBe(false);
  },
);

it('what locks references that are kept in tables is removed, too', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  // Whichever format this git knows: with this one it only would look at it.
  git.write({ '.git/reftable/tables.list': '', '.git/reftable/older.lock': '' });
  await landUntil(world, one, 'update-ref', { leaves: ['reftable/tables.list.lock'] });
  expect(await land(world, other)).toBe('landed');
  expect(readdirSync(join(root, '.git/reftable'))).toEqual(['older.lock', 'tables.list']);
});

it.skipIf(!knowsTables())(
  'references in tables are brought forward, also when a landing was ended',
  async () => {
    const world = await makeWorld({ refFormat: 'reftable' });
    const { git, one, other } = world;
    await landUntil(world, one, 'update-ref', { leaves: ['reftable/tables.list.lock'] });
    expect(() => git('branch', 'locked')).toThrow('cannot lock references');
    expect(await land(world, other)).toBe('landed');
    expect(git('rev-parse', 'main')).toBe(other);
    expect(git.status()).toEqual([]);
  },
);

/** Whether git is new enough for them: 2.45. */
function knowsTables(): boolean {
  const [, major = 0, minor = 0] =
    /(\d+)\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 45);
}

it('a lock of git that is older than what was ended stays', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  git.write({ '.git/HEAD.lock': '' });
  await landUntil(world, one, 'update-index');
  await expect(land(world, other)).rejects.toThrow('HEAD.lock');
  expect(existsSync(join(root, '.git/HEAD.lock'))).toBe(true);
  rmSync(join(root, '.git/HEAD.lock'));
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('a lock of git stays while a git of somebody is at work in the project', async () => {
  const world = await makeWorld();
  const { root, one, other } = world;
  await landUntil(world, one, 'update-ref', { leaves: ['HEAD.lock'] });
  const theirs = spawn('git', ['cat-file', '--batch'], { cwd: root, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(theirs, 'exit');
  await once(theirs, 'spawn');
  await expect(land(world, other)).rejects.toThrow('HEAD.lock');
  theirs.stdin.end();
  await ended;
  expect(await land(world, other)).toBe('landed');
});

it('what somebody has changed since a landing was ended stays, and is named by the next', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-index');
  git.write({ 'lines.txt': 'by hand' });
  await expect(land(world, other)).rejects.toThrow('files of the project have changes that no commit has');
  expect(readFileSync(join(root, 'lines.txt'), 'utf8')).toBe('by hand');
  expect(git('rev-parse', 'main')).not.toBe(other);
});

it('a commit made by hand since a landing was ended keeps its files', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-ref');
  git('checkout', '--quiet', '--force', 'main');
  git.write({ 'hand.txt': 'hand' });
  git.commitAll('by hand');
  expect(await land(world, other)).toBe('moved');
  expect(git.status()).toEqual([]);
  expect(readFileSync(join(root, 'hand.txt'), 'utf8')).toBe('hand');
});

it('nothing is undone of a landing that was ended behind its last step', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-ref', { isDone: true });
  const landed = readFileSync(join(root, 'lines.txt'), 'utf8');
  git.write({ 'lines.txt': 'later' });
  git.commitAll('later');
  git.write({ 'lines.txt': landed });
  expect(await land(world, other)).toBe('moved');
  expect(readFileSync(join(root, 'lines.txt'), 'utf8')).toBe(landed);
});

/** Commits a change on a branch of its own. */
function commitOf({ git }: World, change: () => void): string {
  git('checkout', '--quiet', '-b', 'change', 'main');
  change();
  git('add', '--all', '--force', '--', '.', ':!.clifford');
  git('commit', '--quiet', '-m', 'change');
  const sha = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', 'main');
  return sha;
}

it.each([
  { what: 'a file', theirs: '.env', made: '.env' },
  { what: 'what is in a folder', theirs: 'out/mine', made: 'out' },
  { what: 'a file in place of a folder', theirs: 'out', made: 'out/made' },
])('$what that git ignores is not lost: it is named', async ({ theirs, made }) => {
  const world = await makeWorld();
  const { root, git } = world;
  const sha = commitOf(world, () => git.write({ [made]: 'by an agent' }));
  git.write({ '.git/info/exclude': '.env\nout\n', [theirs]: 'mine' });
  await expect(land(world, sha)).rejects.toThrow(theirs);
  expect(readFileSync(join(root, theirs), 'utf8')).toBe('mine');
  expect(git('rev-parse', 'main')).not.toBe(sha);
  rmSync(join(root, theirs));
  expect(await land(world, sha)).toBe('landed');
  expect(readFileSync(join(root, made), 'utf8')).toBe('by an agent');
});

it.each(['update-index', 'update-ref'] as const)(
  'a file becomes a folder, and a folder a file, also when a landing was ended in front of its %s',
  async (command) => {
    const world = await makeWorld();
    const { root, git, other } = world;
    git.write({ 'folder/one': 'one', 'folder/two': 'two', '"quoted': 'quoted' });
    git.commitAll();
    const sha = commitOf(world, () => {
      rmSync(join(root, 'old.txt'));
      rmSync(join(root, 'folder'), { recursive: true });
      git.write({ 'old.txt/in': 'in', folder: 'a file', '"quoted': 'changed' });
    });
    await landUntil(world, sha, command);
    expect(await land(world, other)).toBe('moved');
    expect(git.status()).toEqual([]);
    expect(readFileSync(join(root, 'folder/two'), 'utf8')).toBe('two');
    expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
    expect(await land(world, sha)).toBe('landed');
    expect(git.status()).toEqual([]);
    expect(readFileSync(join(root, 'old.txt/in'), 'utf8')).toBe('in');
  },
);

it('what was staged since a landing was ended is left, and the rest is taken back', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-index');
  git.write({ 'new/made.txt': 'by hand' });
  git('add', 'new/made.txt');
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual(['A  new/made.txt']);
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
});

it('nothing is left of a commit that came too late', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  const bin = join(root, '.clifford', 'bin');
  const path = process.env['PATH'] ?? '';
  const byHand = `cd '${root}' && git -c core.hooksPath=/dev/null commit-tree -p main -m 'by hand' 'main^{tree}'`;
  const script = `#!/bin/sh
PATH='${path}'
case "$*" in
  *" update-ref "*) git -C '${root}' branch --quiet --force by-hand "$(${byHand})" &&
    cp '${root}/.git/refs/heads/by-hand' '${root}/.git/refs/heads/main' ;;
esac
exec git "$@"
`;
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  expect(await land(world, one, { env: { PATH: `${bin}:${path}` } })).toBe('moved');
  expect(git('log', '-1', '--format=%s')).toBe('by hand');
  expect(git.status()).toEqual([]);
});

it.each([
  { how: 'deleted', isStaged: false },
  { how: 'deleted, and staged that,', isStaged: true },
])('a file that somebody has $how is not there again: it is named', async ({ isStaged }) => {
  const world = await makeWorld();
  const { root, git, one } = world;
  const main = git('rev-parse', 'main');
  if (isStaged) git('rm', '--quiet', 'lines.txt');
  else rmSync(join(root, 'lines.txt'));
  await expect(land(world, one)).rejects.toThrow('lines.txt');
  expect(git.status()).toEqual([isStaged ? 'D  lines.txt' : ' D lines.txt']);
  expect(git('rev-parse', 'main')).toBe(main);
  git('checkout', '--quiet', 'HEAD', '--', 'lines.txt');
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('a file that somebody has deleted stays so where the commit does not change it, or deletes it, too', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  for (const name of ['mine.txt', 'old.txt']) rmSync(join(root, name));
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([' D mine.txt']);
});

it('what git was told not to check out is not taken for deleted', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  git('sparse-checkout', 'set', '--no-cone', '/*', '!lines.txt');
  expect(existsSync(join(root, 'lines.txt'))).toBe(false);
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([]);
  expect(existsSync(join(root, 'lines.txt'))).toBe(false);
});

it.each(['update-index', 'update-ref'] as const)(
  'what somebody had made as the commit has it stays, and what was staged of it, where a landing was ended in front of its %s',
  async (command) => {
    const world = await makeWorld();
    const { root, git, one, other } = world;
    git.write({ 'new/made.txt': 'made' });
    git('add', 'new/made.txt');
    rmSync(join(root, 'old.txt'));
    await landUntil(world, one, command);
    expect(await land(world, other)).toBe('landed');
    expect(git.status()).toEqual(['A  new/made.txt', ' D old.txt']);
  },
);

it('what somebody has made as the commit has it since a landing was refused is not undone', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  git.write({ 'lines.txt': 'mine' });
  await expect(land(world, one)).rejects.toThrow('lines.txt');
  expect(existsSync(join(root, '.clifford', 'landing'))).toBe(false);
  const byHand = git('show', `${one}:lines.txt`);
  git.write({ 'lines.txt': byHand });
  git('add', 'lines.txt');
  await expect(land(world, other)).rejects.toThrow('lines.txt');
  expect(readFileSync(join(root, 'lines.txt'), 'utf8')).toBe(byHand);
  expect(git.status()).toEqual(['M  lines.txt']);
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([]);
});
