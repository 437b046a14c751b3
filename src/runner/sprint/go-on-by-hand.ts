import { wordOf } from '../../machines/status-words.ts';
import { isElsewhere } from '../../machines/fold-offer.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { TaskPlans } from '../plan/task-plans.ts';
import { loseUnverified, ranHere } from '../reconcile/lose-unverified.ts';
import { noteBegun } from '../reconcile/note-begun.ts';
import { missingText, missingWork } from '../worker/missing-work.ts';
import { requireWorktreesHere } from './require-worktrees-here.ts';

type ByHand = {
  readonly stream: string;
  readonly plans: Pick<TaskPlans, 'checksFor'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: string) => void;
};

/**
 * Readies this folder for a run by hand of a sprint that another machine may have run before. What was done there and is not here is named:
 * somebody may have brought it here in other commits, and nobody else knows.
 *
 * @throws {CliffordError} `WORK_MISSING` where another machine has a worktree with work in it.
 */
export async function goOnByHand(project: Project, { stream, plans, env, report }: ByHand): Promise<void> {
  const sprint = project.state.streams.get(stream);
  if (!sprint) return;
  requireWorktreesHere(project, sprint);
  const { signal } = new AbortController();
  const isOfHere = ranHere(project);
  const tasks = [...sprint.tasks.values()];
  const here = new Set(tasks.filter(isOfHere).map(({ id }) => id));
  const commits = new Set<string>();
  for (const { id } of tasks) if ((await plans.checksFor(id)).commit) commits.add(id);
  const wantsCommit = (id: string) => commits.has(id);
  const missing = await missingWork({ cwd: project.root, env, signal }, sprint, {
    here,
    project,
    wantsCommit,
  });
  const elsewhere = missing.filter(({ task }) => !here.has(task));
  // Where nothing is left to do, nothing needs it.
  if (elsewhere.length > 0 && tasks.some(({ machine }) => wordOf(machine.value) !== 'done'))
    report(
      `what was done in these tasks on another machine is not in what is checked out here, and later tasks may need it: ${missingText(elsewhere)}`,
    );
  await loseUnverified(project, stream, (task) => !isElsewhere(task) && !isOfHere(task));
  await noteBegun(project, {
    stream,
    env,
    signal,
    // What an agent has made here that no runner started is not there to be told from what was before.
    isDue: (task) =>
      wantsCommit(task.id) && task.agent !== undefined && task.byHandSince === undefined && !isOfHere(task),
  });
}
