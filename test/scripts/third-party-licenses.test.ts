import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.ts';

describe('thirdPartyLicenses', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'clifford-licenses-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function install(folder: string, files: Record<string, string>): Promise<void> {
    await mkdir(join(root, folder), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, folder, name), text);
  }

  it('lists each package once, with its license text, and not our own files', async () => {
    await install('node_modules/plain', {
      'package.json': '{"name":"plain","version":"1.0.0","license":"MIT"}',
    });
    await install('node_modules/plain/node_modules/@scope/inner', {
      'package.json': '{"name":"@scope/inner","version":"2.0.0","license":"Apache-2.0"}',
      'LICENSE.md': 'Do as you like.\n',
      NOTICE: 'Made by someone.\n',
    });
    const text = await thirdPartyLicenses(root, [
      'src/index.ts',
      'node_modules/plain/a.js',
      'node_modules/plain/lib/b.js',
      'node_modules/plain/node_modules/@scope/inner/c.js',
    ]);
    const line = '='.repeat(80);
    expect(text).toBe(
      `Clifford contains code of 2 other packages.\n\n${line}\n\n` +
        `plain 1.0.0 (MIT)\n\n${line}\n\n` +
        '@scope/inner 2.0.0 (Apache-2.0)\n\nDo as you like.\n\nMade by someone.\n',
    );
  });

  it('refuses a package that says nothing about its license', async () => {
    await install('node_modules/silent', { 'package.json': '{"name":"silent","version":"1.0.0"}' });
    await expect(thirdPartyLicenses(root, ['node_modules/silent/a.js'])).rejects.toThrow(
      'node_modules/silent: it has neither a license file nor a license field',
    );
  });
});
