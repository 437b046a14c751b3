import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../../src/events/kernel-lock.ts';

const here = import.meta.dirname;
const modules = join(here, 'node_modules');
/** Says which lockfile was installed, once all of it was. */
const stamp = join(modules, '.installed');

/** How long an installation may take, in ms: it is 110 MB, and the machine may be slow. */
export const INSTALL_MS = 5 * 60_000;

/**
 * Installs the inspector beside this file, unless it is there. Two runs at once do not get into each
 * other's way. Returns the program of its command line.
 */
export async function installInspector(): Promise<string> {
  const lockfile = await readFile(join(here, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  await withLock(
    join(here, 'package-lock.json'),
    async () => {
      if ((await readIfThere(stamp)) === wanted) return;
      await npmCi();
      await writeFile(stamp, wanted);
    },
    { waitMs: INSTALL_MS },
  );
  return join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
}

async function npmCi(): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const install = promisify(execFile)('npm', args, { cwd: here, timeout: INSTALL_MS });
  install.child.stdin?.end();
  await install;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
