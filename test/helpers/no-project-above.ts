import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * Fails a test run in whose temporary folder, or above it, somebody has a project: tests without a project of
 * their own would find that one and write into it.
 */
export function setup(): () => void {
  refuseProjects('Cannot run tests below');
  return () => refuseProjects('Tests cannot be trusted that ran below');
}

function refuseProjects(what: string): void {
  const found = foldersUpTo(resolve(tmpdir()))
    .flatMap((folder) => [join(folder, '.clifford'), join(folder, '.git')])
    .filter((path) => existsSync(path));
  if (found.length === 0) return;
  throw new Error(
    `${what} ${found.join(' and ')}: remove it, or set TMPDIR to a folder that is in no project`,
  );
}

/** The folder, and those above it. */
function foldersUpTo(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpTo(above)];
}
