import { lostText } from '../../events/descriptors/worktree-events.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import type { CommitOutcome } from '../../machines/task-state.ts';
import { WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import { currentEdits } from '../../workflow/temporary-edits/current-edits.ts';
import { commitWorktree } from '../../workflow/worktree/commit-worktree.ts';
import { goneOf } from '../../workflow/worktree/open-worktree.ts';
import { requireWhole } from '../../workflow/worktree/require-whole.ts';
import type { TaskWorktree } from '../../workflow/worktree/task-worktree.ts';
import { recordOfOwn } from '../../workflow/worktree/worktree-claims.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import type { Stuck } from '../../workflow/worktree/worktree-request.ts';
import type { JobDeps } from './job-deps.ts';
import { prepareWorktree, taskOf, worktreeOf } from './prepare-worktree.ts';

/** Whose changes are committed, in which worktree, and with what git is run. */
type CommitOrder = {
  readonly taskId: string;
  readonly worktree: TaskWorktree;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Commits what of the work of a completed task is to be merged, and says so in the log: also what somebody has put right in its
 * worktree since it has a commit.
 *
 * @returns why nothing can be; `undefined`: there is nothing to merge, and that stands in the log.
 * @throws {CliffordError} `UNCOMMITTED`: why there is no commit.
 */
export async function commitForMerge(
  deps: JobDeps,
  { taskId, worktree, signal, env }: CommitOrder,
): Promise<Stuck | 'committed' | undefined> {
  const { project, folder, by } = deps;
  const stream = folder.manifest.id;
  const [task, known] = [taskOf(deps, taskId), worktreeOf(deps, taskId)];
  const attempt = task?.machine.context.attempt ?? 1;
  const gone = await goneOf(project, { stream, taskId, worktree: known }, signal);
  const isCommitted = task?.commit !== undefined && 'sha' in task.commit && task.commit.sha === gone?.sha;
  // What is there without it may be nothing of what was to be merged.
  if (gone && !isCommitted) return { why: 'commit', reason: lostText(gone), files: [], kept: gone.kept };
  await prepareWorktree(deps, taskId, signal);
  await requireWhole(project, worktreeOf(deps, taskId), { signal, withTarget: true });
  // Before a merge is looked for: one that a killed runner has left of its own, on no branch, is none that was brought in.
  await worktree.recover();
  const unasked = task?.commit && (await unaskedConflict(worktree, known, task.commit.attempt === attempt));
  if (unasked) return unasked;
  const workRoot = workFolder(project, task);
  // Where nobody was asked, or nobody has answered, it was the runner that tries again.
  const putRightBy = known.putRightBy === by ? undefined : known.putRightBy;
  const committed = await commitWorktree(project, {
    stream,
    taskId,
    attempt,
    folder,
    file: task?.file ?? '',
    before: await new WorkTreeSnapshots(project.dir, stream).read(taskId),
    currentEdits: () => currentEdits({ root: workRoot, dir: project.dir }),
    signal,
    env,
    worktree,
    workRoot,
    prefix: known.prefix ?? '',
    base: known.base,
    into: known.into,
    putRight: task?.commit && { by: putRightBy },
  });
  const { own, ...made } =
    committed.is === 'committed' ? committed : { sha: known.base, files: [], own: undefined };
  const record = (fact: Candidate) => project.record(stream, [fact]);
  const subject = subjectOf(stream, taskId);
  if (!task?.commit) await record(commitFact(subject, { ...made, attempt }));
  else if (own && !isSame(task.commit, own.sha)) await record(commitFact(subject, { ...own, attempt }));
  if (committed.is === 'committed') return 'committed';
  await recordMerged(deps, taskId, made.sha);
  return undefined;
}

/**
 * A conflict that a runner has brought into the worktree, and was killed before it had asked about it.
 *
 * @param isOfRound - What the last agent has made has its commit: one that it was to put right was put right with that.
 */
async function unaskedConflict(
  { merge }: TaskWorktree,
  { stuck, rounds, putRightBy }: WorktreeState,
  isOfRound: boolean,
): Promise<Stuck | undefined> {
  const wasAsked = stuck !== undefined || putRightBy !== undefined || (rounds !== undefined && !isOfRound);
  const conflict = wasAsked || !(await merge.isUnderWay()) ? undefined : await merge.conflict();
  return conflict && conflictStuck(conflict);
}

/** What is asked about files that both sides have changed. */
export function conflictStuck({
  files,
  diff,
}: Readonly<Record<'diff', string>> & Pick<Stuck, 'files'>): Stuck {
  return { why: 'conflict', reason: `both have changed ${files.join(', ')}`, files, context: diff };
}

/** Says that a commit with the changes of a task is in its branch. The statuses in the manifest follow from it. */
export async function recordMerged(deps: JobDeps, taskId: string, sha: string): Promise<void> {
  const stream = deps.folder.manifest.id;
  const { into } = worktreeOf(deps, taskId);
  const subject = subjectOf(stream, taskId);
  await recordOfOwn(deps.project, { stream, taskId }, () => [
    { type: 'worktree.merged', subject, data: { sha, into } },
  ]);
}

function commitFact(
  subject: string,
  {
    sha,
    files,
    title,
    attempt,
  }: {
    readonly sha: string;
    readonly files: readonly string[];
    readonly title?: string | undefined;
    readonly attempt: number;
  },
): Candidate {
  const named = title === undefined ? {} : { title };
  return files.length === 0
    ? { type: 'task.uncommitted', subject, data: { reason: 'the task changed no file', attempt } }
    : { type: 'task.committed', subject, data: { sha, files: [...files], attempt, ...named } };
}

function isSame(commit: CommitOutcome, sha: string): boolean {
  return 'sha' in commit && commit.sha === sha;
}
