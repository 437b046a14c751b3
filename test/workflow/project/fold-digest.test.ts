import { glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { digestOfFold, foldDigest } from '../../../src/workflow/project/fold-digest.ts';

const src = join(import.meta.dirname, '../../../src');

it('the digest of the fold changes with any source that a fold depends on, and with no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (file: string, text: string) => {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  const seen = new Set<string>();
  const files = ['machines/words.ts', 'machines/diagram/a.ts', 'events/catalog.ts', 'lib/text/cut.ts'];
  for (const file of files) {
    for (const text of ['1', '2']) {
      await write(file, text);
      seen.add(digestOfFold(folder));
    }
  }
  await rename(join(folder, 'machines/words.ts'), join(folder, 'machines/names.ts'));
  seen.add(digestOfFold(folder));
  expect(seen.size).toBe(2 * files.length + 1);

  const before = digestOfFold(folder);
  await write('tui/screen.tsx', '1');
  await write('machines/notes.md', '1');
  expect(digestOfFold(folder)).toBe(before);
});

it('the built program has the digest of the sources it was built from', async () => {
  expect(foldDigest()).toBe(digestOfFold(src));
  const dist = join(src, '../dist');
  const files = await Array.fromAsync(glob('**/*.js', { cwd: dist }));
  const texts = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')));
  expect(texts.some((text) => text.includes(foldDigest()))).toBe(true);
});
