import { CliffordError } from '../../errors.ts';
import { lostText } from '../../events/descriptors/worktree-events.ts';
import { subjectOf } from '../../events/envelope.ts';
import { messageOf } from '../../lib/message-of.ts';
import { withSecond } from '../../lib/second-error.ts';
import type { Candidate } from '../../machines/legality.ts';
import { subjectOfTask, type CommitKey } from '../../workflow/commit/commit-message.ts';
import { WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import { tryGitAgain } from '../../workflow/commit/try-git-again.ts';
import { uncommittedReason } from '../../workflow/commit/uncommitted.ts';
import type { Project } from '../../workflow/project/project.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import { commitWorktree } from '../../workflow/worktree/commit-worktree.ts';
import { landCommit } from '../../workflow/worktree/land-commit.ts';
import { goneOf, openWorktree } from '../../workflow/worktree/open-worktree.ts';
import type { TaskWorktree } from '../../workflow/worktree/task-worktree.ts';
import { removeWorktree } from '../../workflow/worktree/remove-worktree.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { settledCandidates, stuckCandidates, type Stuck } from '../../workflow/worktree/worktree-request.ts';
import { currentEdits } from '../../workflow/temporary-edits/current-edits.ts';
import { bringHere } from './bring-here.ts';
import { jobMark, startJob, type JobDeps } from './job-deps.ts';
import { prepareWorktree, taskOf, variablesOf, worktreeOf } from './prepare-worktree.ts';

/** So often others may commit to the branch while the changes of one task are verified. */
const MOST_MOVES = 5;

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
  startJob(deps, { kind: 'merge', taskId, finish }, async ({ signal }) => {
    let worktree: TaskWorktree;
    const open = async () => {
      await bringHere(deps, taskId, signal);
      return openWorktree(project, worktreeOf(deps, taskId), signal);
    };
    try {
      worktree = await tryGitAgain(open, signal);
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      stuck = { why: 'landing', reason: error.message, files: [] };
      return;
    }
    deps.listeners.emit('merge', { task: taskId, into: worktreeOf(deps, taskId).into });
    stuck = await merge(deps, { taskId, worktree, signal });
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

/** @returns why it could not be; `undefined`: it is merged, and that stands in the log. */
async function merge(
  deps: JobDeps,
  {
    taskId,
    worktree,
    signal,
  }: { readonly taskId: string; readonly worktree: TaskWorktree; readonly signal: AbortSignal },
): Promise<Stuck | undefined> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const task = taskOf(deps, taskId);
  const known = worktreeOf(deps, taskId);
  const env = { ...jobMark(deps), ...(await variablesOf(deps, task)) };
  const workRoot = workFolder(project, task);
  const attempt = task?.machine.context.attempt ?? 1;
  const subject = subjectOf(stream, taskId);
  const key = { stream, taskId, attempt };
  const record = (fact: Candidate) => project.record(stream, [fact]);
  // The statuses in the manifest follow from it.
  const merged = (sha: string) =>
    project.dispatch(stream, () => [{ type: 'worktree.merged', subject, data: { sha, into: known.into } }]);

  try {
    const stuck = await tryGitAgain(commitOnce, signal);
    if (stuck !== 'committed') return stuck;
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

  async function commitOnce(): Promise<Stuck | 'committed' | undefined> {
    const gone = await goneOf(project, known, signal);
    const isCommitted = task?.commit !== undefined && 'sha' in task.commit && task.commit.sha === gone?.sha;
    // What is there without it may be nothing of what was to be merged.
    if (gone && !isCommitted) return { why: 'commit', reason: lostText(gone), files: [], kept: gone.kept };
    await prepareWorktree(deps, taskId, signal);
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
    return 'committed';
  }

  async function mergeOnce(): Promise<Stuck | 'moved' | undefined> {
    let isAway = false;
    const comeBack = async () => {
      if (isAway) await tryGitAgain(() => worktree.recover(), signal);
      isAway = false;
    };
    const mergeInto = async (target: string) => {
      await comeBack();
      isAway = true;
      return worktree.mergeInto(target, message);
    };
    try {
      const target = await tryGitAgain(() => worktree.commitOf(known.into), signal);
      const result = await tryGitAgain(() => mergeInto(target), signal);
      if (result.is === 'conflict') {
        isAway = false;
        await worktree.bringIn(target, `Merge ${known.into} into ${known.branch}`);
        const reason = `both have changed ${result.files.join(', ')}`;
        return { why: 'conflict', reason, files: result.files, context: result.diff };
      }
      isAway = result.isNew;
      // Where the branch was brought up to it by hand, nothing has tried the two together yet.
      const failed = isAway || target !== known.base ? await failedCheck() : undefined;
      if (failed !== undefined) {
        await comeBack();
        await worktree.bringIn(target, `Merge ${known.into} into ${known.branch}`);
        return { why: 'verify', reason: failed.message, files: [], context: failed.fix };
      }
      if ((await land(result.sha)) === 'landed') {
        await merged(result.sha);
        await comeBack().catch(tellFailure);
        return undefined;
      }
      await comeBack();
      return 'moved';
    } catch (error) {
      const reason = uncommittedReason(error);
      try {
        await comeBack();
        return { why: 'landing', reason, files: [] };
      } catch (second) {
        signal.throwIfAborted();
        const both = withSecond(error, 'checking its branch out again', second);
        return { why: 'landing', reason: uncommittedReason(both), files: [] };
      }
    }
  }

  /** What is in the branch is merged, whatever fails behind that. */
  async function land(sha: string): Promise<'landed' | 'moved'> {
    const place = { cwd: project.root, signal, env: jobMark(deps) };
    const { into } = known;
    const isMerged = async (why: unknown) => {
      try {
        return await tryGitAgain(() => worktree.isIn(sha, `refs/heads/${into}`), signal);
      } catch (second) {
        signal.throwIfAborted();
        throw withSecond(why, `looking whether ${into} has it`, second);
      }
    };
    try {
      return await landCommit(place, {
        sha,
        into,
        message: `clifford: task ${taskId} of ${stream}`,
        dir: project.dir,
        tell: (problem) => deps.listeners.emit('problem', problem),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isMerged(error))) throw error;
      tellFailure(error);
      return 'landed';
    }
  }

  function tellFailure(error: unknown): void {
    signal.throwIfAborted();
    deps.listeners.emit('problem', `task ${taskId} is merged into ${known.into}, but ${messageOf(error)}`);
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
