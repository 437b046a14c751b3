import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inputsOf, isBuilt, noteBuilt } from '../../scripts/bundle/build-record.ts';
import { tempRoot } from '../helpers/temp-project.ts';

it.each([
  ['a source has changed', (root: string) => appendFile(join(root, 'src/a.ts'), '//')],
  ['a source has come', (root: string) => writeFile(join(root, 'src/b.ts'), '')],
  [
    'another version of a package is installed',
    (root: string) => writeFile(join(root, 'node_modules/.package-lock.json'), '{}'),
  ],
  ['what was built has changed', (root: string) => appendFile(join(root, 'dist/chunks/a.js'), '//')],
  ['what was built has gone', (root: string) => rm(join(root, 'dist'), { recursive: true })],
])('dist/ is built again when %s, and not before', async (_what, change) => {
  const root = await tempRoot();
  for (const file of ['src/a.ts', 'dist/chunks/a.js', 'package.json']) {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), 'x');
  }
  const isUpToDate = async () => isBuilt(root, await inputsOf(root));
  expect(await isUpToDate()).toBe(false);
  await noteBuilt(root, await inputsOf(root));
  expect(await isUpToDate()).toBe(true);
  await change(root);
  expect(await isUpToDate()).toBe(false);
});
