import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../src/lib/files/kernel-lock.ts';

/** How an installation is done. */
export type InstallOptions = {
  /** How long it may take, in ms. */
  readonly limitMs: number;
  /** Arguments of `npm ci` besides the usual ones. */
  readonly args?: readonly string[];
};

/**
 * Installs what the lockfile of a folder pins, beside it, unless that is there. Two runs at once do not get
 * into each other's way. Says whether it had to.
 *
 * @throws {Error} with what npm said when it fails.
 */
export async function installPinned(
  folder: string,
  { limitMs, args = [] }: InstallOptions,
): Promise<boolean> {
  const lockfile = join(folder, 'package-lock.json');
  /** Says which lockfile was installed, once all of it was. */
  const stamp = join(folder, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(await readFile(lockfile))
    .digest('hex');
  return withLock(
    lockfile,
    async () => {
      if ((await readIfThere(stamp)) === wanted) return false;
      await npmCi(folder, args, limitMs);
      await writeFile(stamp, wanted);
      return true;
    },
    { waitMs: limitMs },
  );
}

async function npmCi(folder: string, args: readonly string[], limitMs: number): Promise<void> {
  const all = ['ci', '--no-audit', '--no-fund', '--prefer-offline', ...args];
  const install = promisify(execFile)('npm', all, { cwd: folder, timeout: limitMs });
  install.child.stdin?.end();
  try {
    await install;
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : '';
    const why = /^npm error (?!code)(.+)$/m.exec(said)?.[1] ?? String(cause);
    throw new Error(`Cannot install what ${folder}/package-lock.json pins: npm ci failed: ${why}`, { cause });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
