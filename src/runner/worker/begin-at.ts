import { CliffordError } from '../../errors.ts';
import { Git, withLastLines, type GitPlace } from '../../workflow/commit/git.ts';

/** Whether a commit is in the repository. */
export async function hasCommit(place: GitPlace, sha: string): Promise<boolean> {
  return (await new Git(place).run(['cat-file', '-e', `${sha}^{commit}`])).code === 0;
}

/**
 * Checks a new branch out at a commit. What was changed in the files before and has no commit is put aside, with `git stash`.
 *
 * @throws {CliffordError} `FETCH_FAILED` when the commit is not there, or cannot be checked out.
 */
export async function beginAt(
  place: GitPlace,
  { base, branch }: { readonly base: string; readonly branch: string },
): Promise<void> {
  const git = new Git(place);
  if (!(await hasCommit(place, base)))
    throw failed(`the commit ${base.slice(0, 12)}, with which it begins, is not in what was fetched`);
  const own = [':/', ':(exclude,top).clifford'];
  await git.run(['stash', 'push', '--quiet', '--include-untracked', '--', ...own]);
  const { code, how, stdout, stderr } = await git.run([
    'checkout',
    '--quiet',
    '--no-track',
    '-B',
    branch,
    base,
  ]);
  if (code !== 0) throw failed(withLastLines(how, `${stdout.toString('utf8')}${stderr}`));
}

function failed(why: string): CliffordError {
  return new CliffordError(`Cannot begin the task: ${why}`, {
    code: 'FETCH_FAILED',
    fix: 'Have repository.fetch of your own configuration, or --fetch, bring all branches',
    recovery: 'give-up',
  });
}
