import type { SprintState } from '../../machines/project-state.ts';
import { Git, type GitPlace } from '../../workflow/commit/git.ts';

/** A task whose commit is not in what was fetched. */
export type MissingCommit = { readonly task: string; readonly sha: string };

/**
 * The tasks that are done by the log and whose commits a checkout does not have: the worker that made them was gone before it pushed
 * them. Going on without would be a sprint with holes in it.
 */
export async function missingCommits(place: GitPlace, sprint: SprintState): Promise<MissingCommit[]> {
  const git = new Git(place);
  const missing: MissingCommit[] = [];
  for (const { id, commit, worktree } of sprint.tasks.values()) {
    const sha = worktree?.merged ?? (commit && 'sha' in commit ? commit.sha : undefined);
    if (sha === undefined) continue;
    const { code } = await git.run(['merge-base', '--is-ancestor', sha, 'HEAD']);
    if (code !== 0) missing.push({ task: id, sha });
  }
  return missing;
}
