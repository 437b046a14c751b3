import { join, resolve } from 'node:path';
import { isInside } from '../../lib/files/inside-root.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { TASK_CHECKOUTS } from '../../workflow/worktree/worktree-names.ts';
import { CHECKOUTS } from './checkout.ts';
import type { JobDeps } from './worker-deps.ts';

/** Variables that name a file by which the log lets the worker in. */
const LOGIN_FILES = ['CLIFFORD_LOG_CREDENTIALS', 'CLIFFORD_LOG_NKEY', 'CLIFFORD_LOG_KEY'];

/**
 * What is copied from the worker's folder into the checkout of a task, from that folder: what its own configuration says. What was
 * fetched may not name files of this machine, and nothing may name what is the worker's own: other checkouts, its state, its keys.
 */
export async function ownCopy({
  home,
  env,
  configMemory,
  listeners,
}: Pick<JobDeps, 'home' | 'env' | 'configMemory' | 'listeners'>): Promise<string[]> {
  const { root, dir } = home;
  const { config } = await readConfig({ root, env, configMemory });
  const logins = LOGIN_FILES.flatMap((name) => env[name] ?? []);
  const own = [CHECKOUTS, TASK_CHECKOUTS, dir, ...logins].map((path) => followed(resolve(root, path)));
  return config.worktrees.copy.filter((path) => {
    const from = followed(join(root, path));
    const isOwn = own.some((each) => isInside(each, from) || isInside(from, each));
    if (isOwn)
      listeners.emit('problem', `does not copy ${path} (worktrees.copy): it has what is the worker's own`);
    return !isOwn;
  });
}

function followed(path: string): string {
  return realPath(path) ?? path;
}
