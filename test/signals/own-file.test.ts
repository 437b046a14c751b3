import fs from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { publish } from '../../src/signals/own-file.ts';
import { tempRoot } from '../helpers/temp-project.ts';

/** From here to the end of the test, no file system makes a hard link. */
function refuseLinks(code: string): void {
  vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error(`${code}: link`), { code });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}

it.each([undefined, 'EPERM', 'ENOTSUP'])(
  'a file appears as a whole, and takes no other’s place, also where links fail with %s',
  async (code) => {
    const root = await tempRoot();
    const path = join(root, 'ours.json');
    if (code !== undefined) refuseLinks(code);
    expect(publish(path, { n: 1 })).toBe(true);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ n: 1 });
    await writeFile(path, 'theirs');
    expect(publish(path, { n: 2 })).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('theirs');
    expect(await readdir(root)).not.toContainEqual(expect.stringContaining('.tmp'));
  },
);

it('a file that cannot be made for another reason is none, and nothing is left of it', async () => {
  const root = await tempRoot();
  const before = await readdir(root);
  refuseLinks('EIO');
  expect(() => publish(join(root, 'ours.json'), {})).toThrow('EIO');
  expect(await readdir(root)).toEqual(before);
});
