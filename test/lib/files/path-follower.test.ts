import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insideRoot } from '../../../src/lib/files/inside-root.ts';
import { MOST_NAMES, PathFollower } from '../../../src/lib/files/path-follower.ts';
import { realPathToBe } from '../../../src/lib/files/real-path.ts';
import { wayOf } from '../../../src/lib/files/way-of-path.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const names = (path: string) => path.split('/').length - 1;

describe('a path', () => {
  it('is followed through links, whether what it leads to is there or not, at once and without holding up anybody', async () => {
    const root = await tempRoot();
    await mkdir(join(root, 'real/deep'), { recursive: true });
    await writeFile(join(root, 'real/deep/a.txt'), '');
    await symlink('real/deep', join(root, 'there'));
    await symlink(join(root, 'real/none/far'), join(root, 'nowhere'));
    await symlink('there/../up.txt', join(root, 'up'));
    await symlink('nowhere', join(root, 'twice'));
    const cases = [
      ['there/a.txt', { place: 'real/deep/a.txt', isThere: true, isDangling: false }],
      ['there/b/c.txt', { place: 'real/deep/b/c.txt', isThere: false, isDangling: false }],
      ['there/a.txt/b', { place: 'real/deep/a.txt/b', isThere: false, isDangling: false }],
      ['nowhere/c.txt', { place: 'real/none/far/c.txt', isThere: false, isDangling: true }],
      ['twice', { place: 'real/none/far', isThere: false, isDangling: true }],
      // Above where the link led, as the system goes up.
      ['up', { place: 'real/up.txt', isThere: false, isDangling: true }],
    ] as const;
    for (const [path, { place, ...rest }] of cases) {
      const led = await new PathFollower().follow(join(root, path));
      expect([path, led]).toEqual([path, { place: join(root, place), ...rest }]);
      expect(realPathToBe(join(root, path))).toBe(join(root, place));
    }
    // So it does with one in the path itself, whether what it leads to is there or not.
    expect(realPathToBe(`${root}/there/../deep/a.txt`)).toBe(join(root, 'real/deep/a.txt'));
    expect(realPathToBe(`${root}/there/../none.txt`)).toBe(join(root, 'real/none.txt'));
  });

  it.each([
    ['names', 'a/'.repeat(30_000)],
    ['names that lead nowhere else', `${'a/../'.repeat(1_000)}b`],
    ['bytes', 'ä'.repeat(2_048)],
  ])('of more %s than the system takes is refused before anybody looks', async (_what, path) => {
    const root = await tempRoot();
    await expect(insideRoot(root, path)).rejects.toMatchObject({
      code: 'PATH_UNUSABLE',
      cause: { code: 'ENAMETOOLONG' },
    });
    expect(() => wayOf(`/${path}`).next()).toThrow('ENAMETOOLONG: it is longer than 4,095 bytes');
    const follower = new PathFollower();
    await expect(follower.follow(`/${path}`)).rejects.toThrow('ENAMETOOLONG');
    expect(follower.names).toBe(0);
  });

  it('is not looked at below a place where nothing is', async () => {
    const root = await tempRoot();
    const follower = new PathFollower();
    const path = join(root, 'a/'.repeat(1_800));
    expect((await follower.follow(path)).place).toBe(join(root, 'a/'.repeat(1_800)).slice(0, -1));
    expect(follower.names).toBe(names(root) + 1);
  });

  it('of links in a circle leads nowhere, and neither does one of too many', async () => {
    const root = await tempRoot();
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    for (let at = 0; at < 41; at += 1) await symlink(`chain-${at + 1}`, join(root, `chain-${at}`));
    const follow = (path: string) => new PathFollower().follow(join(root, path));
    await expect(follow('a/c')).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(follow('chain-0')).rejects.toMatchObject({ code: 'ELOOP' });
    expect((await follow('chain-1')).place).toBe(join(root, 'chain-41'));
    expect(() => realPathToBe(join(root, 'a/c'))).toThrow('ELOOP');
  });
});

it('many paths are followed so far, and no farther; one that was followed before costs nothing', async () => {
  const root = await tempRoot();
  const follower = new PathFollower();
  const each = names(root) + 1;
  const most = Math.floor(MOST_NAMES / each);
  for (let at = 0; at < most; at += 1) await follower.follow(join(root, `missing/${at}`));
  for (let at = 0; at < most; at += 1) await follower.follow(join(root, `missing/${at}`));
  expect(follower.names).toBe(most * each);
  await expect(follower.follow(join(root, 'missing/more'))).rejects.toThrow('there are too many paths');
  expect(follower.isSpent).toBe(true);
  expect((await follower.follow(join(root, 'missing/1'))).place).toBe(join(root, 'missing/1'));
});
