import { relative } from 'node:path/posix';
import type { Git } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import { committedChanges, type TreeChange } from '../git/staged-tree.ts';

/** What a commit has changed, and the paths of that from the project's root. */
export async function filesOfCommit(
  git: Git,
  { prefix }: Pick<Repository, 'prefix'>,
  sha: string,
): Promise<{ readonly changes: readonly TreeChange[]; readonly files: readonly string[] }> {
  const changes = await committedChanges(git, sha);
  const files = changes.map(({ path }) =>
    path.startsWith(prefix) ? path.slice(prefix.length) : relative(prefix, path),
  );
  return { changes, files };
}
