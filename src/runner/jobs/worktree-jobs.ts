import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { TaskState, TaskWorktree as WorktreeState } from '../../machines/project-state.ts';
import { subjectOfTask, type CommitKey } from '../../workflow/commit/commit-message.ts';
import { Git } from '../../workflow/commit/git.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import { uncommitted, uncommittedReason } from '../../workflow/commit/uncommitted.ts';
import type { Project } from '../../workflow/project/project.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import { commitWorktree } from '../../workflow/worktree/commit-worktree.ts';
import { copyInto, setUp } from '../../workflow/worktree/fill-worktree.ts';
import { headForWork, worktreesFolder } from '../../workflow/worktree/head-for-work.ts';
import { landCommit } from '../../workflow/worktree/land-commit.ts';
import { openWorktree, reviveWorktree } from '../../workflow/worktree/open-worktree.ts';
import { removeWorktree } from '../../workflow/worktree/remove-worktree.ts';
import { loggedPath, workFolder } from '../../workflow/worktree/work-folder.ts';
import {
  freeSlot,
  worktreeBranch,
  worktreePath,
  worktreeVariables,
} from '../../workflow/worktree/worktree-names.ts';
import { settledCandidates, stuckCandidates, type Stuck } from '../../workflow/worktree/worktree-request.ts';
import { withWorktreesLock } from '../../workflow/worktree/worktrees-lock.ts';
import { currentEdits } from '../temporary-edits/current-edits.ts';
import { jobMark, startJob, type JobDeps } from './job-deps.ts';

/** So often others may commit to the branch while the changes of one task are verified. */
const MOST_MOVES = 5;

/**
 * Makes the worktree of a task and what it needs: says so in the log first, so that whoever comes after a crash knows of
 * it. One that was made before stays as it is.
 *
 * @throws {CliffordError} `UNCOMMITTED`, `SETUP_FAILED`: why there is none that is fit for work.
 */
export async function prepareWorktree(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<void> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  if (!taskOf(deps, taskId)?.worktree) await claim(deps, taskId, signal);
  const known = worktreeOf(deps, taskId);
  if (known.phase !== 'claimed') return reviveWorktree(project, known, signal);
  const worktree = await openWorktree(project, known, signal);
  const makeAnew = async () => {
    await worktree.remove();
    await worktree.add();
  };
  await withWorktreesLock(project, makeAnew, signal);
  const workRoot = workFolder(project, taskOf(deps, taskId));
  const { setup, copy, env: templates } = await deps.plans.worktrees();
  const file = relative(project.root, join(folder.dir, taskOf(deps, taskId)?.file ?? ''));
  // What only this machine has of the sprint: the text of the task.
  const own = file.startsWith(`..${sep}`) || file.startsWith('.clifford') ? [] : [file];
  const copied = await copyInto({ root: project.root, workRoot }, [...copy, ...own]);
  const env = { ...jobMark(deps), ...worktreeVariables(templates, { slot: known.slot, taskId }) };
  if (setup !== undefined) await setUp(setup, { cwd: workRoot, env, signal, taskId });
  const git = new Git({ cwd: workRoot, signal, env });
  const place = {
    root: workRoot,
    signal,
    currentEdits: () => currentEdits({ root: workRoot, dir: project.dir }),
  };
  const snapshot = await takeSnapshot(git, { ...place, task: taskId });
  if (snapshot.problem !== undefined) throw uncommitted(snapshot.problem, 'See to it in the project');
  await new WorkTreeSnapshots(project.dir, stream).write(snapshot);
  await project.record(stream, [
    { type: 'worktree.prepared', subject: subjectOf(stream, taskId), data: { copied } },
  ]);
}

/** The variables of a task's worktree; none where it has none. */
export async function variablesOf(
  { plans }: Pick<JobDeps, 'plans'>,
  task: TaskState | undefined,
): Promise<Record<string, string>> {
  if (!task?.worktree) return {};
  return worktreeVariables((await plans.worktrees()).env, { slot: task.worktree.slot, taskId: task.id });
}

/** Merges the changes of a completed task into its branch, or says why that cannot be. */
export async function startMerge(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const { onConflict } = await deps.plans.worktrees();
  let stuck: Stuck | undefined;
  const finish = async () => {
    const what = stuck;
    if (what)
      await project.dispatch(stream, (state) => {
        const sprint = state.streams.get(stream);
        const task = sprint?.tasks.get(taskId);
        return sprint && task ? stuckCandidates(sprint, task, what, { by: deps.by, onConflict }) : [];
      });
    deps.memory.toCommit.delete(taskId);
  };
  deps.listeners.emit('merge', { task: taskId, into: worktreeOf(deps, taskId).into });
  startJob(deps, { kind: 'merge', taskId, finish }, async ({ signal }) => {
    stuck = await merge(deps, taskId, signal);
  });
}

/** Removes the worktree of a task that is merged or given up. */
export function startRemoval(deps: JobDeps, taskId: string): void {
  const { project, folder, memory, listeners } = deps;
  const stream = folder.manifest.id;
  const known = worktreeOf(deps, taskId);
  const finish = () => Promise.resolve();
  startJob(deps, { kind: 'removal', taskId, finish }, async ({ signal, tell }) => {
    try {
      const sha = await removeWorktree(project, { stream, taskId, worktree: known, signal });
      const { path, branch } = known;
      tell({ type: 'worktree.removed', subject: subjectOf(stream, taskId), data: { path, branch, sha } });
    } catch (error) {
      memory.kept.add(taskId);
      listeners.emit('problem', `the worktree of task ${taskId} stays: ${uncommittedReason(error)}`);
    }
  });
}

/** Does what a human has said about changes that could not be merged. */
export async function settleMerge(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder, by } = deps;
  const stream = folder.manifest.id;
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    return sprint && task ? settledCandidates(sprint, task, by) : [];
  });
}

async function claim(
  { project, folder, plans }: JobDeps,
  taskId: string,
  signal: AbortSignal,
): Promise<void> {
  const stream = folder.manifest.id;
  const dir = worktreesFolder(project.root, (await plans.worktrees()).dir);
  const git = new Git({ cwd: project.root, env: {}, signal });
  const work = async () => {
    const { streams } = await project.refresh();
    const taken = streams
      .loaded()
      .flatMap(({ tasks }) => [...tasks.values()].map((each) => each.worktree?.slot ?? 0));
    const { into, base, prefix } = await headForWork(git, project.root);
    const count = await freeCount(git, dir, { stream, taskId });
    const data = {
      path: loggedPath(project.root, worktreePath(dir, stream, taskId, count)),
      branch: worktreeBranch(stream, taskId, count),
      into,
      base,
      slot: freeSlot(taken),
      ...(prefix === '' ? {} : { prefix }),
    };
    await project.record(stream, [{ type: 'worktree.claimed', subject: subjectOf(stream, taskId), data }]);
  };
  await withWorktreesLock(project, work, signal);
}

/** The first number of which there is neither a folder nor a branch. */
async function freeCount(
  git: Git,
  dir: string,
  { stream, taskId }: { readonly stream: string; readonly taskId: string },
): Promise<number> {
  for (let count = 1; ; count += 1) {
    const ref = `refs/heads/${worktreeBranch(stream, taskId, count)}`;
    const isTaken = (await git.run(['rev-parse', '--quiet', '--verify', ref])).code === 0;
    if (!isTaken && !existsSync(worktreePath(dir, stream, taskId, count))) return count;
  }
}

/** @returns why it could not be; `undefined`: it is merged, and that stands in the log. */
async function merge(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<Stuck | undefined> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const task = taskOf(deps, taskId);
  const known = worktreeOf(deps, taskId);
  const env = { ...jobMark(deps), ...(await variablesOf(deps, task)) };
  const worktree = await openWorktree(project, known, signal);
  const workRoot = workFolder(project, task);
  const attempt = task?.machine.context.attempt ?? 1;
  const subject = subjectOf(stream, taskId);
  const key = { stream, taskId, attempt };
  const record = (fact: Candidate) => project.record(stream, [fact]);
  // The statuses in the manifest follow from it.
  const merged = (sha: string) =>
    project.dispatch(stream, () => [{ type: 'worktree.merged', subject, data: { sha, into: known.into } }]);

  try {
    await reviveWorktree(project, known, signal);
    const before = await new WorkTreeSnapshots(project.dir, stream).read(taskId);
    const committed = await commitWorktree(project, {
      ...key,
      folder,
      file: task?.file ?? '',
      before,
      currentEdits: () => currentEdits({ root: workRoot, dir: project.dir }),
      signal,
      env,
      worktree,
      workRoot,
      prefix: known.prefix ?? '',
      base: known.base,
      into: known.into,
    });
    const { sha, files } = committed.is === 'committed' ? committed : { sha: known.base, files: [] };
    if (!task?.commit)
      await record(
        files.length === 0
          ? { type: 'task.uncommitted', subject, data: { reason: 'the task changed no file', attempt } }
          : { type: 'task.committed', subject, data: { sha, files: [...files], attempt } },
      );
    if (committed.is === 'unchanged') {
      await merged(sha);
      return undefined;
    }
  } catch (error) {
    return { why: 'commit', reason: uncommittedReason(error), files: [] };
  }

  const { commands, areOwn } = await deps.plans.checksFor(taskId);
  const message = await mergeMessage(project, deps, { ...key, file: task?.file ?? '', into: known.into });
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const step = await mergeOnce();
    if (step !== 'moved') return step;
  }
  const reason = `others commit to ${known.into} all the time`;
  return { why: 'landing', reason, files: [] };

  async function mergeOnce(): Promise<Stuck | 'moved' | undefined> {
    let isAway = false;
    try {
      const target = await worktree.commitOf(known.into);
      const result = await worktree.mergeInto(target, message);
      if (result.is === 'conflict') {
        await worktree.bringIn(target, `Merge ${known.into} into ${known.branch}`);
        const reason = `both have changed ${result.files.join(', ')}`;
        return { why: 'conflict', reason, files: result.files, context: result.diff };
      }
      isAway = result.isNew;
      // Where the branch was brought up to it by hand, nothing has tried the two together yet.
      const failed = isAway || target !== known.base ? await failedCheck() : undefined;
      if (failed !== undefined) {
        if (isAway) await worktree.backToBranch();
        await worktree.bringIn(target, `Merge ${known.into} into ${known.branch}`);
        return { why: 'verify', reason: failed.message, files: [], context: failed.fix };
      }
      const landed = await landCommit(
        { cwd: project.root, signal, env: jobMark(deps) },
        {
          sha: result.sha,
          into: known.into,
          message: `clifford: task ${taskId} of ${stream}`,
          dir: join(project.dir, 'before', stream),
          base: project.dir,
        },
      );
      if (isAway) await worktree.backToBranch();
      if (landed === 'moved') return 'moved';
      await merged(result.sha);
      return undefined;
    } catch (error) {
      const reason = uncommittedReason(error);
      if (isAway) await worktree.backToBranch();
      return { why: 'landing', reason, files: [] };
    }
  }

  /** What of the commands fails on the merged files, which are in the worktree. */
  async function failedCheck(): Promise<CliffordError | undefined> {
    if (commands.length === 0) return undefined;
    try {
      await verifyTask(project.at(workRoot), { stream, taskId, commands, areOwn, env, signal });
      return undefined;
    } catch (error) {
      if (error instanceof CliffordError && error.code === 'VERIFY_FAILED') return error;
      throw error;
    }
  }
}

/** The message of a merge: what the task is called, and the lines by which its commits are known. */
async function mergeMessage(
  project: Project,
  { folder }: JobDeps,
  { file, into, ...key }: CommitKey & { readonly file: string; readonly into: string },
): Promise<string> {
  const title = await subjectOfTask(project, { dir: folder.dir, file, taskId: key.taskId });
  return `Merge into ${into}: ${title}\n\nClifford-Sprint: ${key.stream}\nClifford-Merge: ${key.taskId.trim()}`;
}

function taskOf({ project, folder }: JobDeps, taskId: string): TaskState | undefined {
  return project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
}

function worktreeOf(deps: JobDeps, taskId: string): WorktreeState {
  const worktree = taskOf(deps, taskId)?.worktree;
  if (!worktree) throw new Error(`task ${taskId} has no worktree`);
  return worktree;
}
