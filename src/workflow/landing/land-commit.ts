import { workAndThen, withSecond } from '../../lib/second-error.ts';
import { gitFailed } from '../git/git-failed.ts';
import { Git, withLastLines, type GitPlace } from '../git/git.ts';
import { inGitTurn } from './git-turn.ts';
import { stagedAs } from '../git/user-index.ts';
import { findRepository, headOf, isAncestor, refOf } from '../git/repository.ts';
import { changesFrom, type TreeChange } from '../git/staged-tree.ts';
import { tryGitAgain } from '../git/try-git-again.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { listed } from '../../lib/text/listed.ts';
import { STATE_DIR } from '../project/project-root.ts';
import {
  makeLandingFolder,
  readLandingMark,
  removeLandingFolder,
  removeLandingMark,
  writeLandingMark,
} from './landing-mark.ts';
import { leaveOut, moveFiles, prepareMove, stageMove } from './move-files.ts';
import type { WorkTree } from './work-tree.ts';
import { undoLanding } from './undo-landing.ts';
import { mergingGit } from '../git/merging-git.ts';

/** What is to be brought into the project's own files. */
export type LandingOrder = {
  /** Descends from the commit that is checked out. */
  readonly sha: string;
  readonly into: string;
  /** A commit that the log names: of the task, for git's own history. */
  readonly message: string;
  /** The project's `.clifford`. */
  readonly dir: string;
  /** Told what fails behind it, when it is landed or not. */
  readonly tell: (problem: string) => void;
};

/**
 * Brings the branch that is checked out in the project forward to a commit, with its files. What somebody has changed in
 * other files, and what is staged of them, stays. One at a time in a project, and safe to call again, wherever it was ended
 * before: the files become what they are to be first, then the index, then the branch; an unfinished landing, of this commit
 * or of another, is undone.
 *
 * @returns `moved`: the branch has another commit by now, from which this one does not descend.
 * @throws {CliffordError} `UNCOMMITTED`: why it cannot be, e.g. since one of the files has changes that no commit has.
 */
export async function landCommit(place: GitPlace, order: LandingOrder): Promise<'landed' | 'moved'> {
  return tryGitAgain(() => inGitTurn(place, order.dir, () => land(place, order), order.tell), place.signal);
}

async function land(place: GitPlace, order: LandingOrder): Promise<'landed' | 'moved'> {
  const { sha, into, dir, tell } = order;
  const { top, index, prefix, underWay } = await findRepository(new Git(place), place.cwd);
  const git = await mergingGit({ ...place, cwd: top });
  if (!(await isCheckedOut(git, into)))
    throw uncommitted(`${into} is not checked out in the project`, `Check it out with: git switch ${into}`);
  if (underWay !== undefined) throw uncommitted(`${underWay} is under way in the project`, 'End it');
  const from = await headOf(git);
  if (from === undefined) throw uncommitted(`${into} has no commit any more`);
  if (await isAncestor(git, sha, from)) return 'landed';
  if (!(await isAncestor(git, from, sha))) return 'moved';

  const changes = await changesFrom(git, from, sha);
  refuseOwnFiles(changes, prefix);
  refuseOddNames(changes);
  const { signal } = place;
  const landing = { ...order, git, from, changes, signal };
  const newWorkTree = (): WorkTree => ({ top, index, scratch: makeLandingFolder(dir) });
  const last = () => {
    // Whoever undoes it needs its mark.
    if (readLandingMark(dir) === undefined) removeLandingFolder(dir);
  };
  const what = `removing what it needed in ${dir}`;
  return workAndThen(() => bringForward(landing, newWorkTree), { what, last, signal, tell });
}

type Landing = LandingOrder & {
  readonly git: Git;
  readonly from: string;
  readonly changes: readonly TreeChange[];
  readonly signal: AbortSignal;
};

async function bringForward(landing: Landing, newWorkTree: () => WorkTree): Promise<'landed' | 'moved'> {
  const { git, dir, from, sha, into, message, changes } = landing;
  const workTree = newWorkTree();
  const move = { from, to: sha, changes };
  const prepared = await prepareMove(git, workTree, move);
  await writeLandingMark(dir, { from, sha, made: [...prepared.made], staged: [...prepared.staged] });
  try {
    await moveFiles(git, workTree, move, prepared);
    await stageMove(git, move);
    await leaveOut(git, workTree, changes);
    await refuseReset(git, changes);
    const named = await git.run(['update-ref', '-m', message, refOf(into), sha, from]);
    if (named.code !== 0) throw gitFailed(withLastLines(named.how, named.stderr));
  } catch (error) {
    landing.signal.throwIfAborted();
    const outcome = await undoAndLook(landing, error, newWorkTree);
    if (outcome === undefined) throw error;
    return outcome;
  }
  // Whoever has gone to another branch meanwhile is to find its files there.
  if (await isCheckedOut(git, into)) removeLandingMark(dir);
  else await undoLanding(git, { stateDir: dir, head: (await headOf(git)) ?? sha, workTree: newWorkTree() });
  return 'landed';
}

/** Somebody may have reset the index meanwhile, and the files with it: to the branch as it will be, they would take the task back. */
async function refuseReset(git: Git, changes: readonly TreeChange[]): Promise<void> {
  const staged = await stagedAs(git, changes, 'new');
  if (staged.length < changes.length)
    throw uncommitted(
      'somebody has changed meanwhile what is staged in the project',
      'End that, and try it again',
    );
}

async function isCheckedOut(git: Git, branch: string): Promise<boolean> {
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD']);
  return stdout.toString('utf8').trim() === refOf(branch);
}

/** Where the branch does not have the commit, nor are the files to have it. @returns what has come of it all the same. */
async function undoAndLook(
  { git, dir, from, sha, signal }: Landing,
  why: unknown,
  newWorkTree: () => WorkTree,
): Promise<'landed' | 'moved' | undefined> {
  try {
    const head = (await headOf(git)) ?? from;
    await undoLanding(git, { stateDir: dir, head, workTree: newWorkTree() });
    if (await isAncestor(git, sha, head)) return 'landed';
    return head === from ? undefined : 'moved';
  } catch (error) {
    signal.throwIfAborted();
    throw withSecond(why, 'undoing what it had changed', error);
  }
}

/** An agent that must not write Clifford's own files is not to do it by way of its branch. Those of sprints are the project's. */
function refuseOwnFiles(changes: readonly TreeChange[], prefix: string): void {
  const own = `${prefix}${STATE_DIR}`.toLowerCase();
  const isOwn = (path: string) =>
    path === own || (path.startsWith(`${own}/`) && !path.startsWith(`${own}/sprints/`));
  const found = changes.map(({ path }) => path).filter((path) => isOwn(path.toLowerCase()));
  if (found.length > 0)
    throw uncommitted(
      `it changes files of Clifford’s own: ${listed(found)}`,
      'Take them out of the branch; where they are meant, merge it by hand',
    );
}

/** Git takes any bytes for a name: what is not UTF-8 cannot be named here. */
function refuseOddNames(changes: readonly TreeChange[]): void {
  const odd = changes.map(({ path }) => path).filter((path) => path.includes('\uFFFD'));
  if (odd.length > 0)
    throw uncommitted(
      `it changes files whose names are not UTF-8: ${listed(odd)}`,
      'Rename them in the branch, or merge it by hand',
    );
}
