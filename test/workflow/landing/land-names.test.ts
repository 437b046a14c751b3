import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitOf, land, landUntil, makeWorld } from './landing-world.ts';

/** Whether `a` and `A` are one file where tests make theirs: as on macOS, and not on Linux. */
const ignoresCase = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'clifford-case-'));
  writeFileSync(join(folder, 'a'), '');
  const found = statSync(join(folder, 'A'), { throwIfNoEntry: false });
  rmSync(folder, { recursive: true });
  return found !== undefined;
})();

/** A world with a commit that gives files names which differ in case only, and changes one of them. */
async function withRenames() {
  const world = await makeWorld();
  const { root, git } = world;
  if (ignoresCase) git('config', 'core.ignorecase', 'true');
  git.write({ 'Same.txt': 'same', 'in/Changed.txt': 'before' });
  git.commitAll('names');
  const after = commitOf(world, () => git.write({ 'after.txt': 'after' }));
  // The files stay as they are.
  const env = { ...process.env, GIT_INDEX_FILE: join(root, '.git/other-index') };
  const run = (input: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, input, encoding: 'utf8' }).trim();
  run('', 'read-tree', 'main');
  for (const [from, to, text] of [
    ['Same.txt', 'same.txt', 'same'],
    ['in/Changed.txt', 'in/changed.txt', 'after'],
  ] as const) {
    run('', 'update-index', '--force-remove', from);
    const id = run(text, 'hash-object', '-w', '--stdin');
    run('', 'update-index', '--add', '--cacheinfo', `100644,${id},${to}`);
  }
  const sha = run('', 'commit-tree', '-p', 'main', '-m', 'renamed', run('', 'write-tree'));
  const names = () =>
    [...readdirSync(root), ...readdirSync(join(root, 'in'))].filter((name) => /^(same|changed)/i.test(name));
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  return { ...world, sha, after, names, text };
}

describe('a name that changes in case only', () => {
  it('is landed, and no file is lost', async () => {
    const world = await withRenames();
    expect(await land(world, world.sha)).toBe('landed');
    expect(world.names()).toEqual(['same.txt', 'changed.txt']);
    expect([world.text('same.txt'), world.text('in/changed.txt')]).toEqual(['same', 'after']);
    expect(world.git.status()).toEqual([]);
  });

  it.each(['checkout', 'read-tree', 'update-ref'] as const)(
    'is what it was where a landing was ended in front of its %s',
    async (step) => {
      const world = await withRenames();
      await landUntil(world, world.sha, step);
      expect(await land(world, world.after)).toBe('landed');
      expect(world.names()).toEqual(['Same.txt', 'Changed.txt']);
      expect([world.text('Same.txt'), world.text('in/Changed.txt')]).toEqual(['same', 'before']);
      expect(world.git.status()).toEqual([]);
    },
  );

  it('is not undone where somebody else has given it already', async () => {
    const world = await withRenames();
    const { root, sha, after } = world;
    rmSync(join(root, 'Same.txt'));
    writeFileSync(join(root, 'same.txt'), 'same');
    await landUntil(world, sha, 'read-tree');
    expect(await land(world, after)).toBe('landed');
    expect(world.names()).toEqual(['same.txt', 'Changed.txt']);
  });

  it.skipIf(ignoresCase)('is no other name of a file that has both', async () => {
    const world = await withRenames();
    const { root, sha } = world;
    linkSync(join(root, 'Same.txt'), join(root, 'same.txt'));
    expect(await land(world, sha)).toBe('landed');
    expect(world.names()).toEqual(['same.txt', 'changed.txt']);
    expect(world.git.status()).toEqual([]);
  });
});

it('a file of two names, of which a landing changes both, is not taken for changed by somebody', async () => {
  const world = await makeWorld();
  const { root, git } = world;
  git.write({ 'one.txt': 'both' });
  git.write({ 'two.txt': 'both' });
  git.commitAll('the same');
  const both = commitOf(world, () => git.write({ 'one.txt': 'one', 'two.txt': 'two' }));
  rmSync(join(root, 'two.txt'));
  linkSync(join(root, 'one.txt'), join(root, 'two.txt'));
  expect(await land(world, both)).toBe('landed');
  expect(readFileSync(join(root, 'one.txt'), 'utf8') + readFileSync(join(root, 'two.txt'), 'utf8')).toBe(
    'onetwo',
  );
  expect(git.status()).toEqual([]);
});
