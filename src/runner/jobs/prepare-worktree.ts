import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { EventData } from '../../events/catalog.ts';
import { lostText } from '../../events/descriptors/worktree-events.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { isOpenWorktree, type WorktreeState } from '../../machines/worktree-state.ts';
import { Git } from '../../workflow/git/git.ts';
import { pathFromRoot } from '../../workflow/git/git-status.ts';
import { hasBranch, refOf } from '../../workflow/git/repository.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import { uncommitted } from '../../workflow/git/uncommitted.ts';
import { fillWorktree } from '../../workflow/worktree/fill-worktree.ts';
import { headForWork, worktreesFolder } from '../../workflow/worktree/head-for-work.ts';
import { newNoteId } from '../../workflow/notes/send-note.ts';
import { goneOf, openWorktree } from '../../workflow/worktree/open-worktree.ts';
import type { TaskWorktree } from '../../workflow/worktree/task-worktree.ts';
import { loggedPath, workFolder, worktreeFolder } from '../../workflow/worktree/work-folder.ts';
import { worktreeBranch, worktreePath, worktreeVariables } from '../../workflow/worktree/worktree-names.ts';
import { requireDependencies } from '../../workflow/worktree/require-dependencies.ts';
import { freeSlot, slotOf } from '../../workflow/worktree/worktree-slot.ts';
import {
  forgetClaim,
  isClaimedHere,
  noteClaim,
  recordOfOwn,
} from '../../workflow/worktree/worktree-claims.ts';
import { withWorktreesLock } from '../../workflow/worktree/worktrees-lock.ts';
import { currentEdits } from '../../workflow/temporary-edits/current-edits.ts';
import { jobMark, type JobDeps } from './job-deps.ts';

/** Longest time, in ms, in which is looked what a setup that failed, or was ended, has left. */
const LOOK_LIMIT_MS = 10_000;

/**
 * Makes the worktree of a task and what it needs: says so in the log first, so that whoever comes after a crash knows of
 * it. One that was made before stays as it is; where it is gone, that is said, and it is made again. One whose setup failed is made
 * anew, unless somebody has put something into it since: then the setup is run in it again.
 *
 * @param last - What is done in it before the log says that it is there.
 * @throws {CliffordError} `UNCOMMITTED`, `SETUP_FAILED`: why there is none that is fit for work.
 */
export async function prepareWorktree(
  deps: JobDeps,
  taskId: string,
  signal: AbortSignal,
  last: (made: TaskWorktree) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const before = taskOf(deps, taskId);
  if (!before?.worktree || (await isOfOther(deps, before, signal)) || (await isUnnamed(deps, taskId, signal)))
    await claimWorktree(deps, taskId, { signal });
  const known = worktreeOf(deps, taskId);
  const isMade = known.phase !== 'claimed';
  const gone = isMade ? await goneOf(project, { stream, taskId, worktree: known }, signal) : undefined;
  if (isMade && !gone) return;
  if (gone) await sayGone(deps, taskId, gone);
  const worktree = await openTaskWorktree(deps, taskId, signal);
  const snapshots = new WorkTreeSnapshots(project.dir, stream);
  let added: readonly string[] = [];
  const make = async () => {
    // Its setup has failed, and somebody has put something into it since: that is what it is tried again with.
    added = (await snapshots.read(taskId)) ? await worktree.work() : [];
    if (added.length > 0) return;
    await worktree.remove();
    await snapshots.remove(taskId);
    await worktree.add();
  };
  await withWorktreesLock(project, make, signal);
  const task = taskOf(deps, taskId);
  const workRoot = workFolder(project, task);
  const { setup, copy, env: templates } = await deps.plans.worktrees();
  const file = relative(project.root, join(folder.dir, taskOf(deps, taskId)?.file ?? ''));
  // What only this machine has of the sprint: the text of the task.
  const own = file.startsWith(`..${sep}`) || file.startsWith('.clifford') ? [] : [file];
  const env = { ...jobMark(deps), ...worktreeVariables(templates, { slot: known.slot, taskId }) };
  const asItIs = async (until: AbortSignal) => {
    const place = { root: workRoot, signal: until, isWhole: true };
    const edits = () => currentEdits({ root: workRoot, dir: project.dir });
    const git = new Git({ cwd: workRoot, signal: until, env });
    const snapshot = await takeSnapshot(git, { ...place, currentEdits: edits, task: taskId });
    const theirs = new Set(added.map((path) => pathFromRoot(known.prefix ?? '', path)));
    return { ...snapshot, files: snapshot.files.filter(([path]) => !theirs.has(path)) };
  };
  let copied: readonly string[];
  try {
    const place = { root: project.root, worktree: worktreeFolder(project, task) ?? workRoot, workRoot };
    copied = await fillWorktree(place, { setup, copy: [...copy, ...own] }, { taskId, env, signal });
  } catch (error) {
    // What the setup has left is told by that from what somebody adds.
    const left = await asItIs(AbortSignal.timeout(LOOK_LIMIT_MS)).catch(() => undefined);
    if (left && left.problem === undefined) await snapshots.write(left);
    throw error;
  }
  const snapshot = await asItIs(signal);
  if (snapshot.problem !== undefined) throw uncommitted(snapshot.problem, 'Correct it in the project');
  await snapshots.write(snapshot);
  await last(worktree);
  await recordOfOwn(project, { stream, taskId }, () => [
    { type: 'worktree.prepared', subject: subjectOf(stream, taskId), data: { copied: [...copied] } },
  ]);
}

/** Says in the log that a worktree is gone and made again, and tells the agent that goes on in it. */
async function sayGone(deps: JobDeps, taskId: string, gone: EventData<'worktree.remade'>): Promise<void> {
  const { project, folder, by } = deps;
  const stream = folder.manifest.id;
  const subject = subjectOf(stream, taskId);
  const before = worktreeOf(deps, taskId);
  const id = await noteClaim(project);
  await project.record(stream, [{ id, type: 'worktree.remade', subject, data: gone }]);
  forgetClaim(project, before);
  const text = `Of your task, ${lostText(gone)}. It was made again: look at what is there before you go on.`;
  await project.dispatch(stream, ({ streams }) => {
    const task = streams.get(stream)?.tasks.get(taskId);
    if (!task || wordOf(task.machine.value) === 'done') return [];
    return [{ type: 'note.sent', subject, data: { noteId: newNoteId(), text, by, via: 'log' } }];
  });
}

/** The variables of a task's worktree, or of its checkout where another worker has it; none where it has neither. */
export async function variablesOf(
  { plans }: Pick<JobDeps, 'plans'>,
  task: TaskState | undefined,
): Promise<Record<string, string>> {
  const slot = task && slotOf(task);
  if (!task || slot === undefined) return {};
  return worktreeVariables((await plans.worktrees()).env, { slot, taskId: task.id });
}

/**
 * Whether its worktree is another machine's, and the folder or the branch of it here is of before, or must not be taken for it: that stays. Of a run by hand one
 * that is wanted still, and of which nothing is here, is made again.
 */
async function isOfOther(
  { project, sharing }: JobDeps,
  task: TaskState,
  signal: AbortSignal,
): Promise<boolean> {
  const { worktree } = task;
  if (worktree === undefined || isClaimedHere(project, worktree)) return false;
  if (sharing || !project.isShared) return sharing !== undefined;
  const folder = worktreeFolder(project, task);
  if (!isOpenWorktree(task) || (folder !== undefined && existsSync(folder))) return true;
  return hasBranch(new Git({ cwd: project.root, env: {}, signal }), worktree.branch);
}

/**
 * Whether a run was ended when it had said that the worktree is about to be made, and before its branch was there: another
 * project of the repository may have taken the name since.
 */
export async function isUnnamed(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<boolean> {
  if (worktreeOf(deps, taskId).phase !== 'claimed') return false;
  const worktree = await openTaskWorktree(deps, taskId, signal);
  const look = async () => (await worktree.tip()) === undefined || (await worktree.isTaken());
  return withWorktreesLock(deps.project, look, signal);
}

/**
 * Says that the worktree of a task is about to be made, and makes its branch: nobody else has that.
 *
 * @param how - `base`: the commit it begins with. Default: the last one of the branch that is checked out.
 */
export async function claimWorktree(
  deps: JobDeps,
  taskId: string,
  { signal, base: begun }: { readonly signal: AbortSignal; readonly base?: string },
): Promise<void> {
  const { project, folder, plans } = deps;
  const stream = folder.manifest.id;
  const settings = await plans.worktrees();
  const git = new Git({ cwd: project.root, env: {}, signal });
  const work = async () => {
    const { streams } = await project.refresh();
    const head = await headForWork(git, project.root);
    const { into, base, prefix } = head;
    const dir = worktreesFolder(project.root, settings.dir, head);
    const sprint = streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    if (sprint && task && begun === undefined) await requireDependencies(git, sprint, task, head);
    const count = await freeCount(git, dir, { stream, taskId });
    const data = {
      path: loggedPath(project.root, worktreePath(dir, stream, taskId, count)),
      branch: worktreeBranch(stream, taskId, count),
      into,
      base: begun ?? base,
      slot: freeSlot(streams),
      ...(prefix === '' ? {} : { prefix }),
    };
    const id = await noteClaim(project);
    await project.record(stream, [
      { id, type: 'worktree.claimed', subject: subjectOf(stream, taskId), data },
    ]);
    // What stays is the one before.
    deps.memory.kept.delete(taskId);
    await git.read(['branch', '--no-track', data.branch, base]);
  };
  await withWorktreesLock(project, work, signal);
}

/** The first number of which there is neither a folder nor a branch, nor branches below that name. */
async function freeCount(
  git: Git,
  dir: string,
  { stream, taskId }: { readonly stream: string; readonly taskId: string },
): Promise<number> {
  for (let count = 1; ; count += 1) {
    const ref = refOf(worktreeBranch(stream, taskId, count));
    const isFree = (await git.read(['for-each-ref', '--count=1', ref])) === '';
    if (isFree && !existsSync(worktreePath(dir, stream, taskId, count))) return count;
  }
}

/** A task, as the log says. */
export function taskOf({ project, folder }: JobDeps, taskId: string): TaskState | undefined {
  return project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
}

/** The git of a task's worktree. `signal` ends it. */
export function openTaskWorktree(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<TaskWorktree> {
  const known = { stream: deps.folder.manifest.id, taskId, worktree: worktreeOf(deps, taskId) };
  return openWorktree(deps.project, known, signal);
}

/** The worktree of a task that has one. */
export function worktreeOf(deps: JobDeps, taskId: string): WorktreeState {
  const worktree = taskOf(deps, taskId)?.worktree;
  if (!worktree) throw new Error(`task ${taskId} has no worktree`);
  return worktree;
}
