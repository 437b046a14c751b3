import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { withSecond } from '../../lib/second-error.ts';
import { subjectOfTask } from '../../workflow/commit/commit-message.ts';
import { refOf } from '../../workflow/git/repository.ts';
import { tryGitAgain } from '../../workflow/git/try-git-again.ts';
import { isTrouble, uncommittedReason } from '../../workflow/git/uncommitted.ts';
import { verifyTask } from '../../workflow/verify/verify-task.ts';
import { landCommit } from '../../workflow/landing/land-commit.ts';
import type { TaskWorktree } from '../../workflow/worktree/task-worktree.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import type { Merged } from '../../workflow/worktree/worktree-merge.ts';
import type { Stuck } from '../../workflow/worktree/worktree-request.ts';
import { commitForMerge, conflictStuck, recordMerged } from './commit-for-merge.ts';
import { jobMark, type JobDeps } from './job-deps.ts';
import { openTaskWorktree, taskOf, variablesOf, worktreeOf } from './prepare-worktree.ts';

/** So often others may commit to the branch while the changes of one task are verified. */
const MOST_MOVES = 5;

/** Longest time, in ms, in which a merge that is stopped has its worktree brought back. */
const LEAVE_LIMIT_MS = 30_000;

/** What is to be merged, and until when. */
export type MergeOrder = {
  readonly taskId: string;
  readonly worktree: TaskWorktree;
  readonly signal: AbortSignal;
};

/**
 * Commits what a completed task has changed in its worktree, and merges that into the branch behind its checks.
 *
 * @returns why it could not be; `undefined`: it is merged, and that stands in the log.
 */
export async function mergeTask(deps: JobDeps, order: MergeOrder): Promise<Stuck | undefined> {
  const task = taskOf(deps, order.taskId);
  const env = { ...jobMark(deps), ...(await variablesOf(deps, task)) };
  const merge = new TaskMerge(deps, order, env);
  try {
    return await merge.run();
  } finally {
    if (order.signal.aborted) await merge.leave();
  }
}

/** What is tried on the merged files, and what the merge is called. */
type MergeWay = {
  readonly checks: Awaited<ReturnType<JobDeps['plans']['checksFor']>>;
  readonly message: string;
};

class TaskMerge {
  readonly #deps: JobDeps;
  readonly #order: MergeOrder;
  readonly #env: Readonly<Record<string, string>>;
  readonly #stream: string;
  readonly #task: ReturnType<typeof taskOf>;
  readonly #known: ReturnType<typeof worktreeOf>;
  readonly #workRoot: string;
  /** Its changes had a commit before: somebody may have put something right since, which nothing has tried yet. */
  readonly #isAgain: boolean;
  /** The worktree has a merge checked out, and not the branch of its task. */
  #isAway = false;

  constructor(deps: JobDeps, order: MergeOrder, env: Readonly<Record<string, string>>) {
    this.#deps = deps;
    this.#order = order;
    this.#env = env;
    this.#stream = deps.folder.manifest.id;
    this.#task = taskOf(deps, order.taskId);
    this.#isAgain = this.#task?.commit !== undefined;
    this.#known = worktreeOf(deps, order.taskId);
    this.#workRoot = workFolder(deps.project, this.#task);
  }

  async run(): Promise<Stuck | undefined> {
    try {
      const place = { ...this.#order, env: this.#env };
      const stuck = await tryGitAgain(() => commitForMerge(this.#deps, place), this.#order.signal);
      if (stuck !== 'committed') return stuck;
    } catch (error) {
      return { why: 'commit', reason: uncommittedReason(error), files: [], isTrouble: isTrouble(error) };
    }
    const how = {
      checks: await this.#deps.plans.checksFor(this.#order.taskId),
      message: await this.#message(),
    };
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      const step = await this.#mergeOnce(how);
      if (step !== 'moved') return step;
    }
    const reason = `others commit to ${this.#known.into} all the time`;
    return { why: 'landing', reason, files: [] };
  }

  /** Brings the worktree back to its branch where it was stopped in the middle. Where that fails, the next run does it. */
  async leave(): Promise<void> {
    if (!this.#isAway) return;
    const { listeners } = this.#deps;
    const { taskId } = this.#order;
    const signal = AbortSignal.timeout(LEAVE_LIMIT_MS);
    try {
      const worktree = await openTaskWorktree(this.#deps, taskId, signal);
      await tryGitAgain(() => worktree.recover(), signal);
    } catch (error) {
      const why = signal.aborted ? `it took longer than ${LEAVE_LIMIT_MS / 1_000} s` : messageOf(error);
      const text = `the worktree of task ${taskId} is not on its branch again, the next run brings it there: ${why}`;
      listeners.emit('problem', text);
    }
  }

  /** What the task is called, and the lines by which its commits are known. */
  async #message(): Promise<string> {
    const { project, folder } = this.#deps;
    const { taskId } = this.#order;
    const title = await subjectOfTask(project, { dir: folder.dir, file: this.#task?.file ?? '', taskId });
    const lines = `Clifford-Sprint: ${this.#stream}\nClifford-Merge: ${taskId.trim()}`;
    return `Merge into ${this.#known.into}: ${title}\n\n${lines}`;
  }

  async #mergeOnce(how: MergeWay): Promise<Stuck | 'moved' | undefined> {
    try {
      return await this.#tryToMerge(how);
    } catch (error) {
      const reason = uncommittedReason(error);
      try {
        await this.#comeBack();
        return { why: 'landing', reason, files: [] };
      } catch (second) {
        this.#order.signal.throwIfAborted();
        const both = withSecond(error, 'checking its branch out again', second);
        return { why: 'landing', reason: uncommittedReason(both), files: [] };
      }
    }
  }

  async #tryToMerge({ checks, message }: MergeWay): Promise<Stuck | 'moved' | undefined> {
    const { taskId, worktree, signal } = this.#order;
    const { into, base } = this.#known;
    const target = await tryGitAgain(() => worktree.commitOf(refOf(into)), signal);
    const result = await tryGitAgain(() => this.#mergeInto(target, message), signal);
    if (result.is === 'conflict') {
      this.#isAway = false;
      await this.#bringIn(target);
      return conflictStuck(result);
    }
    this.#isAway = result.isNew;
    // Where the branch was brought up to it by hand, nothing has tried the two together yet.
    const isTried = !this.#isAway && target === base && !this.#isAgain;
    const failed = isTried ? undefined : await this.#failedCheck(checks);
    if (failed !== undefined) {
      await this.#comeBack();
      await this.#bringIn(target);
      return { why: 'verify', reason: failed.message, files: [], context: failed.fix };
    }
    const landed = await this.#land(result.sha);
    if (landed === 'landed') {
      await recordMerged(this.#deps, taskId, result.sha);
      await this.#comeBack().catch((error: unknown) => this.#tellFailure(error));
      return undefined;
    }
    await this.#comeBack();
    return 'moved';
  }

  async #mergeInto(target: string, message: string): Promise<Merged> {
    await this.#comeBack();
    this.#isAway = true;
    return this.#order.worktree.merge.into(target, message);
  }

  async #bringIn(target: string): Promise<void> {
    const { into, branch } = this.#known;
    await this.#order.worktree.merge.bringIn(target, `Merge ${into} into ${branch}`);
  }

  async #comeBack(): Promise<void> {
    const { worktree, signal } = this.#order;
    if (this.#isAway) await tryGitAgain(() => worktree.recover(), signal);
    this.#isAway = false;
  }

  /** What is in the branch is merged, whatever fails behind that. */
  async #land(sha: string): Promise<'landed' | 'moved'> {
    const { project, listeners } = this.#deps;
    const { taskId, signal } = this.#order;
    const place = { cwd: project.root, signal, env: jobMark(this.#deps) };
    try {
      return await landCommit(place, {
        sha,
        into: this.#known.into,
        message: `clifford: task ${taskId} of ${this.#stream}`,
        dir: project.dir,
        tell: (problem) => listeners.emit('problem', problem),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(await this.#isMerged(sha, error))) throw error;
      this.#tellFailure(error);
      return 'landed';
    }
  }

  async #isMerged(sha: string, why: unknown): Promise<boolean> {
    const { worktree, signal } = this.#order;
    const { into } = this.#known;
    try {
      return await tryGitAgain(() => worktree.isIn(sha, refOf(into)), signal);
    } catch (second) {
      signal.throwIfAborted();
      throw withSecond(why, `looking whether ${into} has it`, second);
    }
  }

  #tellFailure(error: unknown): void {
    const { taskId, signal } = this.#order;
    signal.throwIfAborted();
    const text = `task ${taskId} is merged into ${this.#known.into}, but ${messageOf(error)}`;
    this.#deps.listeners.emit('problem', text);
  }

  /** What of the commands fails on the merged files, which are in the worktree. */
  async #failedCheck({ commands, areOwn }: MergeWay['checks']): Promise<CliffordError | undefined> {
    const { taskId, signal } = this.#order;
    if (commands.length === 0) return undefined;
    const check = { stream: this.#stream, taskId, commands, areOwn, env: this.#env, signal };
    try {
      await verifyTask(this.#deps.project.at(this.#workRoot), check);
      return undefined;
    } catch (error) {
      if (error instanceof CliffordError && error.code === 'VERIFY_FAILED') return error;
      throw error;
    }
  }
}
