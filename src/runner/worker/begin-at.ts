import { CliffordError } from '../../errors.ts';
import { Git, withLastLines, type GitPlace } from '../../workflow/git/git.ts';
import { hasCommit } from '../../workflow/git/repository.ts';

/**
 * Checks a new branch out at a commit. What was changed in the files before and has no commit is put aside, with `git stash`.
 *
 * @throws {CliffordError} `FETCH_FAILED` when the commit is not there, or cannot be checked out; when what was changed cannot be put aside.
 */
export async function beginAt(
  place: GitPlace,
  { base, branch }: { readonly base: string; readonly branch: string },
): Promise<void> {
  try {
    await begin(new Git(place), { base, branch });
  } catch (error) {
    throw error instanceof CliffordError && error.code === 'UNCOMMITTED' ? failed(error.message) : error;
  }
}

async function begin(
  git: Git,
  { base, branch }: { readonly base: string; readonly branch: string },
): Promise<void> {
  if (!(await hasCommit(git, base)))
    throw failed(`the commit ${base.slice(0, 12)}, with which it begins, is not in what was fetched`);
  // Git refuses to leave out by name what it ignores anyway.
  const isIgnored = (await git.run(['check-ignore', '--quiet', '.clifford/'])).code === 0;
  const others = isIgnored ? [] : ['--', ':/', ':(exclude,top).clifford'];
  await succeed(git, ['stash', 'push', '--include-untracked', ...others]);
  await succeed(git, ['checkout', '--quiet', '--no-track', '-B', branch, base]);
}

async function succeed(git: Git, args: readonly string[]): Promise<void> {
  const { code, how, stdout, stderr } = await git.run(args);
  if (code !== 0) throw failed(withLastLines(how, `${stdout.toString('utf8')}${stderr}`));
}

function failed(why: string): CliffordError {
  return new CliffordError(`Cannot begin the task: ${why}`, {
    code: 'FETCH_FAILED',
    fix: 'Have repository.fetch of your own configuration, or --fetch, bring all branches, and leave no merge under way',
    recovery: 'give-up',
  });
}
