import { chmod, mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepTemporaries } from '../../../src/lib/files/sweep-temporaries.ts';
import { writeAtomically } from '../../../src/lib/files/write-atomically.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('makes a file for the owner only, and no folder', async () => {
  const root = await tempRoot();
  await writeAtomically(join(root, 'a'), 'new');
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('new');
  expect(await modeOf(join(root, 'a'))).toBe(0o600);
  await expect(writeAtomically(join(root, 'x/a'), 'new')).rejects.toThrow('ENOENT');
  expect(await readdir(root)).toEqual(['.clifford', 'a']);
});

it('keeps an exact mode, of which the umask would take away', async () => {
  const path = join(await tempRoot(), 'a');
  await writeFile(path, 'old');
  await chmod(path, 0o666);
  await writeAtomically(path, 'new', { exactMode: 0o666 });
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await modeOf(path)).toBe(0o666);
});

it('leaves nothing behind when it fails', async () => {
  const root = await tempRoot();
  await mkdir(join(root, 'a'));
  await expect(writeAtomically(join(root, 'a'), 'new')).rejects.toThrow('EISDIR');
  expect(await readdir(root)).toEqual(['.clifford', 'a']);
});

it('is swept up after a writer that was killed, by the minute', async () => {
  const root = await tempRoot();
  const id = '01a20ab4-9f3f-77fb-bf5e-9c70d94eb131';
  const names = [`a.json.${id}.tmp`, `a.json.${id.replace('1', '2')}.tmp`, `b.json.${id}.tmp`, 'a.json.tmp'];
  for (const name of names) await writeFile(join(root, name), '{');
  const longAgo = Date.now() / 1_000 - 61;
  for (const name of names.toSpliced(1, 1)) await utimes(join(root, name), longAgo, longAgo);

  sweepTemporaries(root, (name) => name === 'a.json');

  expect((await readdir(root)).sort()).toEqual(['.clifford', ...names.slice(1)].sort());
});
