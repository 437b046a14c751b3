import { join } from 'node:path';
import { writeOwnFile } from '../../lib/files/plain-file.ts';
import { CliffordError } from '../../errors.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { workAndThen } from '../../lib/second-error.ts';
import type { SprintFolder } from '../sprint/sprint-folders.ts';
import type { Project } from '../project/project.ts';
import { commitMessage, subjectOfTask, type CommitKey, type PutRight } from './commit-message.ts';
import { MISSING } from '../../lib/files/file-digest.ts';
import { filesOfTask } from './files-of-task.ts';
import { inGitTurn } from '../landing/git-turn.ts';
import { gitFailed } from '../git/git-failed.ts';
import { commitTitle } from '../git/commit-title.ts';
import { followCommit } from '../git/user-index.ts';
import { findCommit } from './find-commit.ts';
import { Git, withLastLines, type GitPlace } from '../git/git.ts';
import { pathFromRoot } from '../git/git-status.ts';
import { headOf, refuseUnfit, type Repository } from '../git/repository.ts';
import { tryGitAgain } from '../git/try-git-again.ts';
import { refuseSecrets } from './secret-scan.ts';
import { readWorkTree, type CurrentEdits, type WorkTreeSnapshot } from './snapshot.ts';
import { committedChanges, stagedChanges, stageFiles, type TreeChange } from '../git/staged-tree.ts';
import { listed } from '../../lib/text/listed.ts';
import { uncommitted, uncommittedReason } from '../git/uncommitted.ts';

/** What is to be committed. */
export type CommitOrder = Omit<GitPlace, 'cwd'> &
  CommitKey & {
    readonly folder: SprintFolder;
    /** The task's file, from the sprint's folder. */
    readonly file: string;
    /** How the files were before the work began. */
    readonly before: WorkTreeSnapshot | undefined;
    readonly currentEdits: CurrentEdits;
    /** What Clifford writes about the sprint is left out: another worker commits it. */
    readonly isRecordedElsewhere?: boolean | undefined;
    /**
     * It is made in a worktree of the task's own: everything that has changed there is the task's, in the whole repository and
     * also behind its commit.
     */
    readonly own?: { readonly putRight: PutRight | undefined } | undefined;
  };

/** What became of it. */
export type CommitResult =
  | {
      readonly is: 'committed';
      readonly sha: string;
      readonly files: readonly string[];
      /** The first line of its message. */
      readonly title?: string | undefined;
      /** What failed behind it: bringing the user's index up to it, whose files look staged backwards then, or cleaning up. */
      readonly problem?: string | undefined;
    }
  | { readonly is: 'uncommitted'; readonly reason: string };

/** Longest time the commit itself may take, in ms: its hooks may run tests. */
export const COMMIT_LIMIT_MS = 10 * 60_000;

/** What git is told for one commit: no guesses at who the user is, and nothing that goes on in the background. */
export const COMMIT_SETTINGS = [
  'user.useConfigOnly=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.verbose=false',
];

/**
 * Makes one git commit of what a task changed, on the branch that is checked out. What the user changed
 * before the task, and what is staged, stays as it is. Safe to call again when it is not known whether it
 * was made: a commit of this attempt that is there already is the result, but for what was changed since in a worktree
 * of its own, which becomes another one.
 *
 * @throws the signal's reason when it aborts. Nothing of git is left, and the commit is made or it is not.
 */
export async function commitTask(
  project: Pick<Project, 'root' | 'dir' | 'asLogged'>,
  order: CommitOrder,
): Promise<CommitResult> {
  try {
    return await makeCommit(project, order);
  } catch (error) {
    return { is: 'uncommitted', reason: uncommittedReason(error) };
  }
}

/** The same, but that it throws why there is none: a {@link CliffordError} `UNCOMMITTED`, or what the machine cannot. */
export async function makeCommit(
  project: Pick<Project, 'root' | 'dir' | 'asLogged'>,
  order: CommitOrder,
): Promise<CommitResult> {
  const dir = join(project.dir, 'before', order.stream, 'commit');
  const { signal } = order;
  const problems: string[] = [];
  const tell = (problem: string) => void problems.push(problem);
  const work = () => commit(project, order, dir);
  const turn = () => inGitTurn({ ...order, cwd: project.root }, project.dir, work, tell);
  const turns = () => tryGitAgain(turn, signal);
  const last = () => removeOwn(dir, project.dir);
  const result = await workAndThen(turns, { what: `removing ${dir}`, last, signal, tell });
  if (result.is === 'uncommitted' || problems.length === 0) return result;
  return { ...result, problem: [result.problem, ...problems].flatMap((each) => each ?? []).join('; ') };
}

async function commit(
  project: Pick<Project, 'root' | 'dir' | 'asLogged'>,
  order: CommitOrder,
  dir: string,
): Promise<CommitResult> {
  const { root, dir: stateDir, asLogged } = project;
  const { before, folder, file, taskId, signal, currentEdits, isRecordedElsewhere, own } = order;
  if (!before)
    throw uncommitted(
      'it is not known how the files were before the task began: commits were not wanted then',
    );
  if (before.problem !== undefined) return { is: 'uncommitted', reason: before.problem };
  const git = new Git({ ...order, cwd: root });
  const isAlone = own !== undefined;
  const scope = { root, signal, currentEdits, isWhole: isAlone };
  const { repository, files: now } = await readWorkTree(git, scope);
  const earlier = await findCommit(git, order, { since: before.head, head: repository.head });
  const asBefore = (sha: string) => made(git, repository, sha, { onlyUntouched: true });
  if (earlier !== undefined && !isAlone) return asBefore(earlier);
  const parts = { git, root, repository, folder, before, now, isRecordedElsewhere, isAlone };
  if (earlier !== undefined && (await filesOfTask(parts)).length === 0) return asBefore(earlier);

  await refuseUnfit(git, repository);
  await refuseOtherHistory(git, repository, before);
  const paths = await filesOfTask(parts);
  if (paths.length === 0) throw nothingChanged(repository, before);
  const gone = new Set(paths.filter((path) => now.get(path)?.digest === MISSING));
  removeOwn(dir, stateDir);
  makeOwnFolders(dir, stateDir);
  const index = await stageFiles(git, { repository, dir, paths, gone });
  const changes = await stagedChanges(git, { repository, index });
  if (changes.length === 0 && earlier !== undefined) return asBefore(earlier);
  if (changes.length === 0) throw nothingChanged(repository, before);
  refuseEdited(changes, currentEdits(), repository);
  await refuseSecrets(git, changes, asLogged);

  const message = join(dir, 'message');
  const subject = await subjectOfTask(project, { dir: folder.dir, file, taskId });
  const putRight = own?.putRight ?? (earlier === undefined ? undefined : { by: undefined });
  writeOwnFile(message, commitMessage(order, subject, putRight));
  // The index was made for this commit: on top of another one it would undo what that one changed.
  if ((await headOf(git)) !== repository.head)
    throw uncommitted('somebody else made a commit at the same time');
  const options = [...COMMIT_SETTINGS.flatMap((setting) => ['-c', setting]), 'commit', '--quiet'];
  const failure = await failureOf(git, [...options, '--cleanup=whitespace', '-F', message], index);
  const sha = await headAfter(git, order, { isMade: failure === undefined, head: repository.head });
  if (sha !== undefined) return made(git, repository, sha, { onlyUntouched: false });
  throw failure ?? uncommitted('git commit made none');
}

/** Why a command that commits has not succeeded. `undefined`: it has. */
async function failureOf(
  git: Git,
  args: readonly string[],
  index: string,
): Promise<CliffordError | undefined> {
  try {
    const { code, how, stdout, stderr } = await git.run(args, {
      index,
      limitMs: COMMIT_LIMIT_MS,
      hasHooks: true,
    });
    return code === 0 ? undefined : gitFailed(withLastLines(how, `${stdout.toString('utf8')}${stderr}`));
  } catch (error) {
    if (error instanceof CliffordError) return error;
    throw error;
  }
}

/** The commit that was made. A hook that runs after it may fail, or take too long: it is made all the same. */
async function headAfter(
  git: Git,
  order: CommitOrder,
  { isMade, head: before }: { isMade: boolean; head: string | undefined },
): Promise<string | undefined> {
  const head = await headOf(git);
  if (head === undefined || head === before) return undefined;
  return (await findCommit(git, order, { since: before, head })) ?? (isMade ? head : undefined);
}

/** What a commit holds, once the user's index knows of it. */
async function made(
  git: Git,
  { prefix }: Repository,
  sha: string,
  how: { onlyUntouched: boolean },
): Promise<CommitResult> {
  const changes = await committedChanges(git, sha);
  const files = changes.map(({ path }) => pathFromRoot(prefix, path));
  const title = await commitTitle(git, sha);
  const problem = await indexProblem(git, changes, how);
  return { is: 'committed', sha, files, title, problem };
}

async function indexProblem(
  ...[git, changes, how]: Parameters<typeof followCommit>
): Promise<string | undefined> {
  try {
    await followCommit(git, changes, how);
    return undefined;
  } catch (error) {
    return uncommittedReason(error);
  }
}

/** The files would be compared with a commit that has nothing to do with the one before the work. */
async function refuseOtherHistory(git: Git, { head }: Repository, before: WorkTreeSnapshot): Promise<void> {
  if (before.head === undefined || before.head === head) return;
  const { code } = await git.run(['merge-base', '--is-ancestor', before.head, 'HEAD']);
  if (code !== 0)
    throw uncommitted(
      `HEAD no longer descends from ${before.head.slice(0, 12)}, where the task began: another branch is checked out`,
    );
}

/** An agent was started after the files were looked at, and has one of them changed for its run. */
function refuseEdited(
  changes: readonly TreeChange[],
  edits: ReturnType<CurrentEdits>,
  { prefix }: Repository,
): void {
  const paths = changes.map(({ path }) => pathFromRoot(prefix, path)).filter((path) => edits.has(path));
  if (paths.length > 0)
    throw uncommitted(`${listed(paths)} changed for the run of an agent while the commit was made`);
}

function nothingChanged({ head }: Repository, before: WorkTreeSnapshot): Error {
  const reason =
    head === before.head ? 'the task changed no file' : 'what the task changed is committed already';
  return uncommitted(reason, 'There is nothing to do');
}
