import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inGitTurn } from '../../../src/workflow/landing/git-turn.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { beginLanding, commitOf, gitThat, land, landUntil, makeWorld } from './landing-world.ts';

it.each(['read-tree', 'update-ref'] as const)(
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

it.each(['read-tree', 'update-ref'] as const)(
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
  ['read-tree', ['index.lock']],
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

it('locks of git that was killed are known though a worktree has its turn before the next landing', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-ref', { leaves: ['HEAD.lock'] });
  const cwd = join(await tempRoot(), 'task');
  git('worktree', 'add', '--quiet', '--detach', cwd, 'main');
  const place = { cwd, signal: new AbortController().signal, env: {} };
  expect(
    await inGitTurn(
      place,
      join(root, '.clifford'),
      () => Promise.resolve('done'),
      () => {},
    ),
  ).toBe('done');
  expect(await land(world, other)).toBe('landed');
});

it('a lock of git that is older than what was ended stays', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  git.write({ '.git/HEAD.lock': '' });
  await landUntil(world, one, 'read-tree');
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
  await landUntil(world, one, 'read-tree');
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

it.each(['read-tree', 'update-ref'] as const)(
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

it('what was staged since a landing was ended is left, and the rest is undone', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'read-tree');
  git.write({ 'new/made.txt': 'by hand' });
  git('add', 'new/made.txt');
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual(['A  new/made.txt']);
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
});

it('nothing is left of a commit that came too late', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  const byHand = `cd '${root}' && git -c core.hooksPath=/dev/null commit-tree -p main -m 'by hand' 'main^{tree}'`;
  const env = await gitThat(
    world,
    `*" update-ref "*) git -C '${root}' branch --quiet --force by-hand "$(${byHand})" &&
      cp '${root}/.git/refs/heads/by-hand' '${root}/.git/refs/heads/main' ;;`,
  );
  expect(await land(world, one, { env })).toBe('moved');
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

it.each(['read-tree', 'update-ref'] as const)(
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

it('the mode of a file is landed with it, and is no change of somebody’s afterwards', async () => {
  const world = await makeWorld();
  const { root, git } = world;
  const sha = commitOf(world, () => chmodSync(join(root, 'mine.txt'), 0o755));
  expect(await land(world, sha)).toBe('landed');
  expect(statSync(join(root, 'mine.txt')).mode & 0o111).not.toBe(0);
  expect(git.status()).toEqual([]);
});

it.each(['read-tree', 'update-ref'] as const)(
  'a link becomes a folder, and what it leads to stays, also when a landing was ended in front of its %s',
  async (command) => {
    const world = await makeWorld();
    const { root, git } = world;
    const outside = await tempRoot();
    writeFileSync(join(outside, 'made.txt'), 'made');
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync('mine.txt', join(root, 'to.txt'));
    git.commitAll();
    const after = commitOf(world, () => git.write({ 'after.txt': 'after' }));
    git('branch', '--quiet', '--move', 'change', 'after');
    const sha = commitOf(world, () => {
      for (const link of ['linked', 'to.txt']) rmSync(join(root, link));
      git.write({ 'linked/made.txt': 'made' });
      symlinkSync('old.txt', join(root, 'to.txt'));
    });
    await landUntil(world, sha, command);
    expect(await land(world, after)).toBe('landed');
    expect(git.status()).toEqual([]);
    expect(readlinkSync(join(root, 'to.txt'))).toBe('mine.txt');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await land(world, sha)).toBe('landed');
    expect(git.status()).toEqual([]);
    expect(readlinkSync(join(root, 'to.txt'))).toBe('old.txt');
    expect(readFileSync(join(outside, 'made.txt'), 'utf8')).toBe('made');
  },
);

it('git that was killed while it wrote files has written none of the project, and its lock stops no landing', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'checkout', { isDone: true });
  expect(git.status()).toEqual([]);
  const landing = join(root, '.clifford/landing');
  const [own = ''] = readdirSync(landing).filter((name) => name !== 'mark.json');
  expect(readdirSync(join(landing, own, 'files'))).toContain('lines.txt');
  for (const folder of [landing, join(landing, own)]) writeFileSync(join(folder, 'index.lock'), '');
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('what somebody changes while files are landed stays, and the others are undone', async () => {
  const world = await makeWorld();
  const { root, git } = world;
  const sha = commitOf(world, () => {
    git.write({ 'a.txt': 'made', 'mine.txt': 'made', 'z/made.txt': 'made' });
    rmSync(join(root, 'old.txt'));
  });
  const { goOn } = await beginLanding(world, sha, 'checkout');
  git.write({ 'mine.txt': 'by hand' });
  await expect(goOn()).rejects.toThrow('somebody has changed mine.txt');
  expect(git.status()).toEqual([' M mine.txt']);
  expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('by hand');
});

it('files of a landing whose index cannot be written are undone', async () => {
  const world = await makeWorld();
  const { git, one } = world;
  const { goOn } = await beginLanding(world, one, 'read-tree', { leaves: ['index.lock'] });
  await expect(goOn()).rejects.toThrow('index.lock');
  expect(git.status()).toEqual([]);
});

it('what somebody has put in place of a file is not removed when that is put back', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'read-tree');
  git.write({ 'old.txt/mine': 'mine' });
  await expect(land(world, other)).rejects.toThrow('old.txt');
  expect(readFileSync(join(root, 'old.txt/mine'), 'utf8')).toBe('mine');
  rmSync(join(root, 'old.txt'), { recursive: true });
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('what is staged of a file is not lost where the file is as the commit has it', async () => {
  const world = await makeWorld();
  const { git } = world;
  const sha = commitOf(world, () => git.write({ 'mine.txt': 'made' }));
  git.write({ 'mine.txt': 'staged' });
  git('add', 'mine.txt');
  git.write({ 'mine.txt': 'made' });
  await expect(land(world, sha)).rejects.toThrow(
    'what is staged of files of the project would be lost: mine.txt',
  );
  expect(git('show', ':mine.txt')).toBe('staged');
});

it('an edit of the same length in the second in which git wrote its index is seen later, too', async () => {
  const world = await makeWorld();
  const { root, git } = world;
  const sha = commitOf(world, () => git.write({ 'mine.txt': 'made' }));
  const path = join(root, 'mine.txt');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'MINE');
  // As if all that had happened in one tick of the clock.
  git('config', 'core.trustctime', 'false');
  utimesSync(path, atime, mtime);
  utimesSync(join(root, '.git/index'), mtime, mtime);
  await expect(land(world, sha)).rejects.toThrow('mine.txt');
  expect(readFileSync(path, 'utf8')).toBe('MINE');
});

it.each(['.clifford/mcp-response.json', '.Clifford/policy.json', '.clifford'])(
  'a commit that has %s, a file of Clifford’s own, is not landed',
  async (path) => {
    const world = await makeWorld();
    const { root, git } = world;
    const index = {
      env: { ...process.env, GIT_INDEX_FILE: join(root, '.git/other-index') },
      cwd: root,
    } as const;
    const run = (...args: string[]) => execFileSync('git', args, index).toString().trim();
    run('read-tree', 'main');
    run('update-index', '--add', '--cacheinfo', `100644,${git('hash-object', '-w', 'mine.txt')},${path}`);
    const sha = run('commit-tree', '-p', 'main', '-m', 'change', run('write-tree'));
    await expect(land(world, sha)).rejects.toThrow(`it changes files of Clifford’s own: ${path}`);
    expect(git.status()).toEqual([]);
  },
);

it('a sprint’s files are the project’s, also below Clifford’s folder', async () => {
  const world = await makeWorld();
  const { root, git } = world;
  const sha = commitOf(world, () => {
    git.write({ '.clifford/sprints/one/a.md': 'a' });
    git('add', '--force', '.clifford/sprints');
  });
  expect(await land(world, sha)).toBe('landed');
  expect(readFileSync(join(root, '.clifford/sprints/one/a.md'), 'utf8')).toBe('a');
});

it.each([
  { what: 'a file', put: (path: string) => writeFileSync(path, '') },
  { what: 'a folder', put: (path: string) => mkdirSync(join(path, 'in'), { recursive: true }) },
  { what: 'a link', put: (path: string) => symlinkSync('/nowhere', path) },
])('$what in place of what a landing needs is no hindrance', async ({ put }) => {
  const world = await makeWorld();
  const { root, git, one } = world;
  mkdirSync(join(root, '.clifford/locks'), { recursive: true });
  for (const name of ['landing', 'locks/commit.began']) put(join(root, '.clifford', name));
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('a note of a landing that somebody has forged reads and writes nothing elsewhere', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  const outside = join(await tempRoot(), 'outside');
  writeFileSync(outside, 'outside');
  mkdirSync(join(root, '.clifford/landing'));
  const mark = { from: git('rev-parse', 'main'), sha: one };
  writeFileSync(join(root, '.clifford/landing/mark.json'), JSON.stringify(mark));
  for (const name of ['index', 'files', 'as-to-be'])
    symlinkSync(outside, join(root, '.clifford/landing', name));
  expect(await land(world, other)).toBe('landed');
  expect(readFileSync(outside, 'utf8')).toBe('outside');
});

it('what was staged by a landing that was ended in front of its update-ref is undone, also of a file that was changed since', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  const other = commitOf(world, () => git.write({ 'mine.txt': 'other' }));
  await landUntil(world, one, 'update-ref');
  git.write({ 'lines.txt': 'by hand', 'old.txt': 'old' });
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([' M lines.txt']);
  expect(readFileSync(join(root, 'lines.txt'), 'utf8')).toBe('by hand');
});

it('a note that somebody has forged removes nothing outside the project', async () => {
  const world = await makeWorld();
  const { root, git, other } = world;
  const victim = join(root, '..', `victim-${basename(root)}`);
  writeFileSync(victim, 'victim');
  onTestFinished(() => rmSync(victim));
  const index = { cwd: root, encoding: 'utf8' } as const;
  const blob = git('hash-object', '-w', 'mine.txt');
  const tree = (entries: string) => execFileSync('git', ['mktree'], { ...index, input: entries }).trim();
  const above = tree(`100644 blob ${blob}\t${basename(victim)}\n`);
  const forged = tree(`${git('ls-tree', 'main')}\n040000 tree ${above}\t..\n`);
  const sha = git('commit-tree', '-p', 'main', '-m', 'forged', forged);
  mkdirSync(join(root, '.clifford/landing'));
  const mark = { from: git('rev-parse', 'main'), sha };
  writeFileSync(join(root, '.clifford/landing/mark.json'), JSON.stringify(mark));
  expect(await land(world, other)).toBe('landed');
  expect(readFileSync(victim, 'utf8')).toBe('victim');
});

it('a file whose name is not UTF-8 is not landed: it is named', async () => {
  const world = await makeWorld();
  const { root } = world;
  const name = Buffer.from('caf\u00E9.txt', 'latin1');
  const sha = commitOf(world, () => writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'made'));
  await expect(land(world, sha)).rejects.toThrow('names are not UTF-8: caf\uFFFD.txt');
});

it('a file becomes a submodule, and is one again where that was ended', async () => {
  const world = await makeWorld();
  const { root, git, other } = world;
  const sha = commitOf(world, () => {
    rmSync(join(root, 'mine.txt'));
    git('update-index', '--add', '--replace', '--cacheinfo', `160000,${git('rev-parse', 'main')},mine.txt`);
    mkdirSync(join(root, 'mine.txt'));
  });
  expect(statSync(join(root, 'mine.txt')).isFile()).toBe(true);
  await landUntil(world, sha, 'update-ref');
  expect(statSync(join(root, 'mine.txt')).isDirectory()).toBe(true);
  expect(await land(world, other)).toBe('landed');
  expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('mine');
  expect(git.status()).toEqual([]);
});
