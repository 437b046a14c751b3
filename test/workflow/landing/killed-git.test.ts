import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { beginLanding, commitOf, gitThat, land, landUntil, makeWorld, type World } from './landing-world.ts';

/** A git of which the first command of this kind, or each of them, is killed: as git says it, and as the system does. */
function gitKilledAt(world: World, pattern: string, { how = 'exit 137', isOnce = true } = {}) {
  const once = join(world.root, '.clifford/killed');
  const test = isOnce ? `[ -e '${once}' ] || { : > '${once}'; ${how}; }` : how;
  return gitThat(world, `${pattern}) ${test} ;;`);
}

const COMMANDS = {
  'merge-base': '*" merge-base "*',
  'read-tree': '*/tried" "*" read-tree "*',
  'update-index': '*" update-index -q --refresh"*',
  'checkout-index': '*" checkout-index "*',
};

it.each(Object.entries(COMMANDS))(
  'an unfinished landing stays marked while git is killed in its %s, nothing is landed over it, and then it is undone',
  async (_, pattern) => {
    const world = await makeWorld();
    const { root, git, one, other } = world;
    const main = git('rev-parse', 'main');
    await landUntil(world, one, 'update-ref');
    const env = await gitKilledAt(world, pattern, { isOnce: false });
    await expect(land(world, other, { env })).rejects.toThrow(
      /^an earlier merge was left unfinished .* cannot be undone: git [\w-]+ was ended by SIGKILL$/,
    );
    expect(git('rev-parse', 'main')).toBe(main);
    expect(existsSync(join(root, '.clifford/landing/mark.json'))).toBe(true);
    expect(await land(world, other)).toBe('landed');
    expect(git.status()).toEqual([]);
  },
);

it.each(['exit 137', 'kill -KILL $$'])(
  'a landing whose git is killed once, with %s, is tried again, wherever that was',
  async (how) => {
    const world = await makeWorld();
    const { git } = world;
    const patterns = ['symbolic-ref', 'rev-parse', 'merge-base', 'diff-tree', 'update-ref'];
    for (const [at, command] of patterns.entries()) {
      const sha = commitOf(world, () => git.write({ [`${command}.txt`]: 'made' }));
      git('branch', '--quiet', '-M', 'change', `change-${at}`);
      const env = await gitKilledAt(world, `*" ${command} "*`, { how });
      expect(await land(world, sha, { env })).toBe('landed');
      expect(git('rev-parse', 'main')).toBe(sha);
      git('clean', '--quiet', '-xdf', '.clifford');
    }
    expect(git.status()).toEqual([]);
  },
);

it('a landing whose update-ref is killed behind its work is landed', async () => {
  const world = await makeWorld();
  const { git, one } = world;
  const env = await gitThat(world, '*" update-ref "*) git "$@"; exit 137 ;;');
  expect(await land(world, one, { env })).toBe('landed');
  expect(git('rev-parse', 'main')).toBe(one);
  expect(git.status()).toEqual([]);
});

it('git that is killed every time is said as that, and not as an answer', async () => {
  const world = await makeWorld();
  const env = await gitKilledAt(world, '*" symbolic-ref "*', { isOnce: false });
  await expect(land(world, world.one, { env })).rejects.toMatchObject({
    message: 'git symbolic-ref was ended by SIGKILL',
    fix: 'Try it again',
  });
});

it('a mark that names what is no commit of the repository holds up no landing', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  for (const sha of ['1'.repeat(40), git('rev-parse', 'main^{tree}')]) {
    mkdirSync(join(root, '.clifford/landing'));
    const mark = { from: git('rev-parse', 'main'), sha };
    writeFileSync(join(root, '.clifford/landing/mark.json'), JSON.stringify(mark));
    expect(await land(world, one)).toBe('landed');
    expect(git.status()).toEqual([]);
  }
});

it('whoever goes to another branch in front of the last step finds the files of that branch', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  const { goOn } = await beginLanding(world, one, 'update-ref');
  git('switch', '--quiet', '--create', 'feature');
  expect(await goOn()).toBe('landed');
  expect(git('rev-parse', 'main')).toBe(one);
  expect(git.status()).toEqual([]);
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
  expect(existsSync(join(root, '.clifford/landing'))).toBe(false);
});

it('what somebody stages of a landed file in front of the index stays staged, and the landing is refused', async () => {
  const world = await makeWorld();
  const { git, one } = world;
  const main = git('rev-parse', 'main');
  const { goOn } = await beginLanding(world, one, 'read-tree');
  git.write({ 'new/made.txt': 'by hand' });
  git('add', 'new/made.txt');
  await expect(goOn()).rejects.toThrow('new/made.txt');
  expect(git('show', ':new/made.txt')).toBe('by hand');
  expect(git.status()).toEqual(['A  new/made.txt']);
  expect(git('rev-parse', 'main')).toBe(main);
});

it('a landing whose files somebody resets behind the index is undone, and made anew', async () => {
  const world = await makeWorld();
  const { git, one } = world;
  const main = git('rev-parse', 'main');
  const { goOn } = await beginLanding(world, one, 'read-tree', { isDone: true });
  git('reset', '--quiet', '--hard');
  await expect(goOn()).rejects.toThrow('changed meanwhile');
  expect(git('rev-parse', 'main')).toBe(main);
  expect(git.status()).toEqual([]);
  expect(await land(world, one)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('what somebody has committed of an unfinished landing stays theirs', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'update-ref');
  git('commit', '--quiet', '-m', 'by hand');
  expect(await land(world, other)).toBe('moved');
  expect(git.status()).toEqual([]);
  expect(readFileSync(join(root, 'new/made.txt'), 'utf8')).toBe('made');
});
