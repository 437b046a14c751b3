import { Git } from '../../workflow/commit/git.ts';

/** Longest time that git may take, in ms. */
const LIMIT_MS = 10_000;

/** How commits of the demo are made: as its own, and with nothing of what the user's configuration starts. */
const SETTINGS = [
  ['user.name', 'Clifford demo'],
  ['user.email', 'demo@localhost'],
  ['commit.gpgsign', 'false'],
  ['core.hooksPath', '.git/hooks'],
  ['core.autocrlf', 'false'],
] as const;

/**
 * Makes the demo's project a git repository.
 *
 * @param root - Absolute.
 * @returns what commits all that is there; `undefined`: there is no git, or the folder is in a repository already.
 */
export async function beginRepository(root: string): Promise<(() => Promise<void>) | undefined> {
  const { signal } = new AbortController();
  const git = new Git({ cwd: root, env: process.env, signal, limitMs: LIMIT_MS });
  const isDone = async (...args: string[]) => (await git.run(args)).code === 0;
  if (await isDone('rev-parse', '--is-inside-work-tree')) return undefined;
  // Without the hooks of a template.
  if (!(await isDone('-c', 'init.defaultBranch=main', 'init', '--quiet', '--template='))) return undefined;
  for (const [name, value] of SETTINGS) await isDone('config', name, value);
  return async () => {
    await isDone('add', '--all');
    await isDone('commit', '--quiet', '--message', 'The project before its sprint');
  };
}
