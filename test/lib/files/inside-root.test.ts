import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { insideRoot } from '../../../src/lib/files/inside-root.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it('a link to a file that is not there yet is inside where that file would be inside', async () => {
  const root = await tempRoot();
  await symlink('new/file.md', join(root, 'inner'));
  await symlink(join(await tempRoot(), 'new.md'), join(root, 'outer'));
  expect(await insideRoot(root, 'inner')).toBe(join(root, 'new/file.md'));
  await expect(insideRoot(root, 'outer')).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' });
});

it('a link in a circle is refused, not followed for ever', async () => {
  const root = await tempRoot();
  await symlink('b', join(root, 'a'));
  await symlink('a', join(root, 'b'));
  await expect(insideRoot(root, 'a/file.md')).rejects.toMatchObject({ code: 'PATH_UNUSABLE' });
});
