import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installPinned } from '../../../scripts/install-pinned.ts';

const limits = { limitMs: 60_000 };

describe('installPinned', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clifford-pinned-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Writes a package that needs others, and a lockfile that pins one inside the folder: nothing is fetched. */
  async function writePackage(version: string, others: Record<string, string> = {}): Promise<void> {
    const name = 'pinned';
    const dependencies = { inside: 'file:inside' };
    const own = { name, version, dependencies: { ...dependencies, ...others } };
    const packages = {
      '': { name, version, dependencies },
      inside: { version: '1.0.0' },
      'node_modules/inside': { resolved: 'inside', link: true },
    };
    const lock = { name, version, lockfileVersion: 3, requires: true, packages };
    await mkdir(join(folder, 'inside'), { recursive: true });
    const inside = { name: 'inside', version: '1.0.0' };
    await writeFile(join(folder, 'inside/package.json'), JSON.stringify(inside));
    await writeFile(join(folder, 'package.json'), JSON.stringify(own));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  }

  it('installs once, and again when the lockfile has changed', async () => {
    await writePackage('1.0.0');
    expect(await installPinned(folder, limits)).toBe(true);
    expect(await installPinned(folder, limits)).toBe(false);
    await writePackage('1.0.1');
    expect(await installPinned(folder, limits)).toBe(true);
  });

  it('installs once for two that want it at the same time', async () => {
    await writePackage('1.0.0');
    const both = [installPinned(folder, limits), installPinned(folder, limits)];
    expect((await Promise.all(both)).filter((hadTo) => hadTo)).toHaveLength(1);
  });

  it('says in one line why npm would not, and tries again the next time', async () => {
    await writePackage('1.0.0', { left: '1.0.0' });
    await expect(installPinned(folder, limits)).rejects.toThrow(
      /^Cannot install what \S+package-lock\.json pins: npm ci failed: .*in sync.*$/,
    );
    await writePackage('1.0.0');
    expect(await installPinned(folder, limits)).toBe(true);
  });
});
