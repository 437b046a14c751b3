import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { findCommit } from '../../workflow/commit/find-commit.ts';
import { commitTitle } from '../../workflow/git/commit-title.ts';
import { Git, type GitPlace } from '../../workflow/git/git.ts';
import { pathFromRoot } from '../../workflow/git/git-status.ts';
import { findRepository, headOf } from '../../workflow/git/repository.ts';
import { committedChanges } from '../../workflow/git/staged-tree.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isUncommitted, type MissingWork } from './missing-work.ts';

/**
 * Takes the commits for the tasks' own that somebody has made by hand of what a worker had done and not committed: their messages say of
 * which task and attempt they are.
 *
 * @returns the tasks that have one here, as the log says from now on.
 */
export async function adoptCommits(
  project: Project,
  { place, sprint, missing }: { place: GitPlace; sprint: SprintState; missing: readonly MissingWork[] },
): Promise<ReadonlySet<string>> {
  const git = new Git(place);
  const stream = sprint.id;
  const adopted = new Set<string>();
  for (const { task: taskId, attempt } of missing) {
    if (attempt === undefined) continue;
    const head = await headOf(git);
    const run = sprint.tasks.get(taskId)?.agent;
    const sha = await findCommit(git, { stream, taskId, attempt }, { since: undefined, head, run });
    if (sha === undefined) continue;
    const { prefix } = await findRepository(git, place.cwd);
    const files = (await committedChanges(git, sha)).map(({ path }) => pathFromRoot(prefix, path));
    if (files.length === 0) continue;
    const title = await commitTitle(git, sha);
    const named = title === undefined ? {} : { title };
    await project.dispatch(stream, ({ streams }): Candidate[] => {
      const task = streams.get(stream)?.tasks.get(taskId);
      const isIts = task && isUncommitted(task) && task.machine.context.attempt === attempt;
      return isIts
        ? [
            {
              type: 'task.committed',
              subject: subjectOf(stream, taskId),
              data: { sha, files, attempt, ...named },
            },
          ]
        : [];
    });
    adopted.add(taskId);
  }
  return adopted;
}
