import { listed } from '../../lib/text/listed.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { isWorktreeWanted } from '../../machines/fold-worktree.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isMadeElsewhere } from '../../workflow/worktree/worktree-claims.ts';
import { WorkMissingError } from './work-missing-error.ts';

/**
 * Makes sure that a run by hand finds what was made of its tasks: no other machine has a worktree of one that is wanted. What is at its path here is of before,
 * and would be merged in its place.
 *
 * @throws {CliffordError} `WORK_MISSING`.
 */
export function requireWorktreesHere(
  project: Pick<Project, 'dir' | 'isShared'>,
  sprint: SprintState | undefined,
): void {
  const tasks = [...(sprint?.tasks.values() ?? [])].filter(
    (task) => isWorktreeWanted(task) && isMadeElsewhere(project, task.worktree),
  );
  const [first] = tasks;
  if (!sprint || !first) return;
  const drop = `clifford clean --drop ${printedWord(first.id)} --sprint ${printedWord(sprint.id)}`;
  throw new WorkMissingError(
    `Cannot run sprint ${sprint.id} here: the worktrees of these tasks were not made from this folder: ${listed(tasks.map(({ id }) => id))}`,
    {
      code: 'WORK_MISSING',
      fix: `Run it where they were made. If that is lost, or not wanted, give up what is in each, as with: ${drop}, which skips a task that is completed: clifford retry has it done anew`,
      recovery: 'give-up',
      tasks: tasks.map(({ id }) => id),
    },
  );
}
