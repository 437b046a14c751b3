import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { lostWork } from '../../machines/fold-offer.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { Git } from '../../workflow/git/git.ts';
import { hasCommit } from '../../workflow/git/repository.ts';
import type { Project } from '../../workflow/project/project.ts';
import { fillWorktree } from '../../workflow/worktree/fill-worktree.ts';
import { worktreeVariables } from '../../workflow/worktree/worktree-names.ts';
import { noteFiles } from '../../workflow/commit/note-files.ts';
import { jobMark } from '../jobs/job-deps.ts';
import { agreeToFiles, type AgreedFiles } from './agree-to-files.ts';
import { beginAt } from './begin-at.ts';
import { claimOfTask, lostFacts, type TaskPlace } from './claim-of-task.ts';
import { Holding, LATER_MS } from './holding.ts';
import type { JobHold } from './job-hold.ts';
import { loseUnverified } from '../reconcile/lose-unverified.ts';
import { commitOf } from './missing-work.ts';
import { ownCopy } from './own-copy.ts';
import { assertOfferHeld, takeOffer, type TakenOffer } from './take-offer.ts';
import type { JobDeps } from './worker-deps.ts';
import type { SprintLeft } from './worker-events.ts';

type TaskJob = HeldJob & { readonly task: string };

/** A task that this worker has, and the offer by which it does. */
type HeldTask = TaskPlace & { readonly holding: Holding; readonly offer: TakenOffer };

/** Works on one task of a sprint that another worker has: gets its files, runs its attempts, pushes its commit, and says so. */
export async function workOnTask(
  deps: JobDeps,
  { job, hold }: { readonly job: TaskJob; readonly hold: JobHold },
): Promise<SprintLeft> {
  const { home, worker, losses } = deps;
  const place = { stream: job.sprint, taskId: job.task };
  const { taken, offer } = await takeOffer(home, { ...place, worker, losses, deadlineMs: job.deadlineMs });
  if (taken !== 'taken' || !offer) {
    await job.finish();
    const left = { sprint: subjectOf(job.sprint, job.task) };
    return taken === 'exhausted'
      ? { ...left, how: taken, reason: 'too many workers were lost' }
      : { ...left, how: 'over', reason: 'it is not offered any more' };
  }
  const holding = new Holding(deps, { job, hold, claim: claimOfTask(deps, place) });
  const held = { ...place, offer, holding };
  const work = async () =>
    (await adopt(held)) ?? (await holding.withProject((project) => runTask(held, project)));
  return holding.run(work);
}

/** Agents have made commits for the sprint: they may have written what is fetched of it. */
function hasCommits(sprint: SprintState | undefined): boolean {
  return [...(sprint?.tasks.values() ?? [])].some(({ commit }) => commit !== undefined && 'sha' in commit);
}

/**
 * A commit of a worker that is gone is taken as it is where it is here, pushed or not: it is pushed again. Any other is lost, and the task
 * is done again.
 */
async function adopt(held: HeldTask): Promise<SprintLeft | undefined> {
  const { holding, offer, stream, taskId } = held;
  const { home, worker } = holding.deps;
  const place = { cwd: holding.checkout.folder, env: {}, signal: holding.ending };
  const task = await taskNow(held);
  if (task && nameOf(task.machine.value) === 'done.completed') {
    const sha = commitOf(task);
    if (sha !== undefined && (await hasCommit(new Git(place), sha))) {
      await beginAt(place, { base: sha, branch: offer.branch });
      return push(held, sha, 'it was done already');
    }
    await home.dispatch(stream, (state) => {
      assertOfferHeld(state, { stream, taskId, worker });
      return lostFacts({ stream, taskId }, { state, worker, isOver: false });
    });
  }
  await beginAt(place, offer);
  return undefined;
}

async function runTask(held: HeldTask, project: Project): Promise<SprintLeft> {
  const { holding, stream, taskId } = held;
  const { deps, ending } = holding;
  const { env, agreed } = await agreeToFiles(deps, project, { stream, isByAgents: hasCommits });
  await makeFit(held, project, agreed);
  if (((await taskNow(held))?.machine.context.attempt ?? 0) > 0)
    await noteFiles(project, { env, signal: ending, stream, taskId });
  // It begins at a commit: what an earlier attempt has made is put aside.
  await loseUnverified(project, stream, ({ id }) => id === taskId);
  const share = { rules: { as: 'helper', taskId } } as const;
  const end = await holding.runHere(project, { env, agreed, parallel: 1, share });
  await holding.assertHeld(project);
  const task = await taskNow(held);
  const { leaving } = holding;
  if (!task || wordOf(task.machine.value) !== 'done')
    return holding.giveBack(leaving ?? `${end.outcome}: ${end.reason}`, leaving === undefined ? LATER_MS : 0);
  const sha = nameOf(task.machine.value) === 'done.completed' ? commitOf(task) : undefined;
  if (sha !== undefined) return push(held, sha, 'completed');
  if (lostWork(task, deps.worker).length > 0)
    return holding.giveBack(leaving ?? 'what it made has no commit', LATER_MS);
  return holding.end({ outcome: 'over', reason: nameOf(task.machine.value) });
}

/** Prepares the checkout as a worktree is, but for what is copied: the worker's own configuration says that. */
async function makeFit(
  { holding, offer, taskId }: HeldTask,
  project: Project,
  { folder, reading }: AgreedFiles['agreed'],
): Promise<void> {
  const { setup, env } = reading.config.worktrees;
  const copy = await ownCopy(holding.deps);
  const place = { root: holding.deps.home.root, worktree: holding.checkout.folder, workRoot: project.root };
  const variables = worktreeVariables(env, { slot: offer.slot ?? 1, taskId });
  await fillWorktree(
    place,
    { setup, copy },
    { taskId, env: { ...jobMark({ project, folder }), ...variables }, signal: holding.ending },
  );
}

/** Brings away the commit that is checked out, and ends with it. */
async function push({ holding, offer }: HeldTask, sha: string, reason: string): Promise<SprintLeft> {
  try {
    await holding.checkout.push(holding.deps.killed, offer.branch);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return holding.end({ outcome: 'unpushed', reason: error.inOneLine, sha });
  }
  return holding.end({ outcome: 'over', reason, sha });
}

async function taskNow({ holding, stream, taskId }: HeldTask): Promise<TaskState | undefined> {
  return (await holding.deps.home.refresh()).streams.get(stream)?.tasks.get(taskId);
}
