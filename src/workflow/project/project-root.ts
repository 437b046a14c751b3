import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../../lib/system-error.ts';

/** The folder of a project that holds its log. */
export const STATE_DIR = '.clifford';

/** What decides which project is meant. */
export type RootHints = { env: Readonly<Record<string, string | undefined>>; cwd: string };

/**
 * The project's root: `CLIFFORD_PROJECT_ROOT`, else the nearest folder upward with `.clifford/`,
 * else the git root, else the working directory. Absolute.
 *
 * @throws {CliffordError} `ROOT_MISSING` when `CLIFFORD_PROJECT_ROOT` is not a folder.
 */
export function findProjectRoot({ env, cwd }: RootHints): string {
  const named = env['CLIFFORD_PROJECT_ROOT'];
  if (named) {
    const root = resolve(cwd, named);
    if (isFolder(root)) return root;
    throw new CliffordError(`Cannot open project ${root}: CLIFFORD_PROJECT_ROOT is not a folder`, {
      code: 'ROOT_MISSING',
      fix: 'Set CLIFFORD_PROJECT_ROOT to an existing folder, or unset it',
    });
  }
  return nearest(cwd, STATE_DIR) ?? nearest(cwd, '.git') ?? resolve(cwd);
}

/**
 * The root of a project that exists already.
 *
 * @throws {CliffordError} `NO_PROJECT` when it has no `.clifford/`.
 */
export function requireProjectRoot(hints: RootHints): string {
  const root = findProjectRoot(hints);
  if (isFolder(join(root, STATE_DIR))) return root;
  throw new CliffordError(`Cannot find a project: no ${STATE_DIR}/ in ${resolve(hints.cwd)} or above it`, {
    code: 'NO_PROJECT',
    fix: 'Go to the project, name one that clifford projects lists with --project, or make this folder one with: clifford init',
  });
}

function nearest(from: string, name: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** What leads in a circle, as a link to itself, is no folder. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return false;
    throw error;
  }
}
