import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { listed } from '../../lib/text/listed.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { splitNul, type Git } from '../git/git.ts';
import { hasCommit, isAncestor } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';

/**
 * Makes sure that a task begins with what the tasks have made that it depends on: somebody may have switched to another branch
 * since. What no branch has any more was taken away, or written anew; it keeps nobody.
 *
 * @throws {CliffordError} `UNCOMMITTED`: which branch has it.
 */
export async function requireDependencies(
  git: Git,
  { tasks }: Pick<SprintState, 'tasks'>,
  { dependsOn }: Pick<TaskState, 'dependsOn'>,
  { base, into }: { readonly base: string; readonly into: string },
): Promise<void> {
  for (const id of dependsOn) {
    const { commit } = tasks.get(id) ?? {};
    if (!commit || !('sha' in commit) || !(await hasCommit(git, commit.sha))) continue;
    if (await isAncestor(git, commit.sha, base)) continue;
    const having = await branchesWith(git, commit.sha);
    const [first] = having;
    if (first === undefined) continue;
    const branch = shellWord(first);
    throw uncommitted(
      `task ${id}, on which it depends, is in ${listed(having)} and not in ${into}, which is checked out`,
      `Go there with: git switch ${branch}, or bring it here with: git merge ${branch}`,
    );
  }
}

/** Branches of people that have a commit. */
async function branchesWith(git: Git, sha: string): Promise<string[]> {
  const format = '--format=%(refname:lstrip=2)%00';
  const printed = await git.read(['for-each-ref', format, `--contains=${sha}`, 'refs/heads/']);
  return splitNul(printed)
    .map((name) => name.trimStart())
    .filter((name) => !name.startsWith('clifford/'));
}
