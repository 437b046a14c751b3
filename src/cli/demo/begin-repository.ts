import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { Git } from '../../workflow/git/git.ts';

/** Longest time that git may take to say that it is there, and for each step, in ms. */
const PROBE_LIMIT_MS = 2_000;
const LIMIT_MS = 5_000;

/** How commits of the demo are made: as its own, and with nothing of what the user's configuration starts. */
const SETTINGS = [
  ['user.name', 'Clifford demo'],
  ['user.email', 'demo@localhost'],
  ['commit.gpgsign', 'false'],
  ['core.hooksPath', '.git/hooks'],
  ['core.autocrlf', 'false'],
] as const;

/** Settings that stand in the environment, above those of every repository: hooks of the user's, for one. */
const GIVEN_SETTING = /^GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$/;

/** What came of it; `inAnother`: the folder is in a repository already, which is left alone. */
type Begun =
  | { readonly is: 'begun'; readonly commitAll: () => Promise<Committed> }
  | { readonly is: 'inAnother' }
  | Failed;
type Failed = { readonly is: 'failed'; readonly how: string };
type Committed = { readonly is: 'committed' } | Failed;

/**
 * Makes the demo's project a git repository. From then on this process has no settings of git in its environment, nor
 * has what it starts: each commit is made with those of the demo.
 *
 * @param root - Absolute.
 * @returns what commits all that is there. Where that fails no repository is left.
 */
export async function beginRepository(root: string): Promise<Begun> {
  for (const name of Object.keys(process.env)) if (GIVEN_SETTING.test(name)) delete process.env[name];
  const { signal } = new AbortController();
  const git = new Git({ cwd: root, env: {}, signal });
  const probe = await endOf(git, ['version'], PROBE_LIMIT_MS);
  if (probe.code !== 0) return { is: 'failed', how: probe.how };
  const inside = await endOf(git, ['rev-parse', '--is-inside-work-tree']);
  if (inside.code === 0) return { is: 'inAnother' };
  if (inside.code === undefined) return { is: 'failed', how: inside.how };
  const failed = await firstFailure(git, [
    // Without the hooks of a template.
    ['-c', 'init.defaultBranch=main', 'init', '--quiet', '--template='],
    ...SETTINGS.map(([name, value]) => ['config', name, value]),
  ]);
  if (failed) return withoutRepository(root, failed);
  return {
    is: 'begun',
    commitAll: async () => {
      const uncommitted = await firstFailure(git, [
        ['add', '--all'],
        ['commit', '--quiet', '--message', 'The project before its sprint'],
      ]);
      return uncommitted ? withoutRepository(root, uncommitted) : { is: 'committed' };
    },
  };
}

/** Runs one after the other until one fails. */
async function firstFailure(git: Git, commands: readonly string[][]): Promise<Failed | undefined> {
  for (const args of commands) {
    const { code, how } = await endOf(git, args);
    if (code !== 0) return { is: 'failed', how };
  }
  return undefined;
}

/** How a command ended, in words. `code` is `undefined` where that was not by itself. */
async function endOf(
  git: Git,
  args: readonly string[],
  limitMs = LIMIT_MS,
): Promise<{ readonly code?: number; readonly how: string }> {
  try {
    return await git.run(args, { limitMs });
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return { how: error.message };
  }
}

/** What was begun would be in the way of each later look at the project. */
async function withoutRepository(root: string, failed: Failed): Promise<Failed> {
  await rm(join(root, '.git'), { recursive: true, force: true });
  return failed;
}
