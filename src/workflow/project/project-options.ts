import { userInfo } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { findProjectRoot, STATE_DIR } from './project-root.ts';

/** Which project another program means, and who acts on it: the same for every class of the library. */
export type ProjectOptions = {
  /** Default: `CLIFFORD_PROJECT_ROOT`, else the nearest folder upward with `.clifford/`, else git's, else `.`. */
  readonly projectRoot?: string | undefined;
  /** The project's `.clifford` folder. Instead of `projectRoot`, whose `.clifford` it has to be if both are given. */
  readonly mcpStateDir?: string | undefined;
  /** Default: `process.env`. Agents inherit it, and values in it that look secret stay out of the log. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Who answers and decides through this object, as the log names them. Default: the user of this process. */
  readonly by?: string | undefined;
};

/**
 * The project's root, absolute.
 *
 * @throws {CliffordError} `STATE_DIR_INVALID` when `mcpStateDir` is not the `.clifford` of a project, `ROOT_MISSING`
 *   when `CLIFFORD_PROJECT_ROOT` is not a folder.
 */
export function rootOf({ projectRoot, mcpStateDir, env = process.env }: ProjectOptions): string {
  if (mcpStateDir === undefined) return resolve(projectRoot ?? findProjectRoot({ env, cwd: process.cwd() }));
  const dir = resolve(mcpStateDir);
  const root = dirname(dir);
  if (basename(dir) !== STATE_DIR) {
    throw stateDirInvalid(dir, `the folder has to be named ${STATE_DIR}`);
  }
  if (projectRoot !== undefined && resolve(projectRoot) !== root) {
    throw stateDirInvalid(dir, `projectRoot is another folder, ${resolve(projectRoot)}`);
  }
  return root;
}

/** The name of whoever acts, as the log keeps it. */
export function actorOf({ by }: ProjectOptions): string {
  return by ?? userInfo().username;
}

function stateDirInvalid(dir: string, reason: string): CliffordError {
  return new CliffordError(`Cannot use ${dir} as mcpStateDir: ${reason}`, {
    code: 'STATE_DIR_INVALID',
    fix: `Pass the ${STATE_DIR} folder of the project, or projectRoot alone`,
  });
}
