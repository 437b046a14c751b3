import { workAndThen, withSecond } from '../../lib/second-error.ts';
import { Git, withLastLines, type GitPlace } from '../commit/git.ts';
import { inGitTurn } from '../commit/git-turn.ts';
import { followCommit } from '../commit/own-commit.ts';
import { findRepository, headOf } from '../commit/repository.ts';
import { changesFrom, type TreeChange } from '../commit/staged-tree.ts';
import { uncommitted } from '../commit/uncommitted.ts';
import { listed } from '../commit/task-changes.ts';
import { STATE_DIR } from '../project/project-root.ts';
import {
  makeLandingFolder,
  readLandingMark,
  removeLandingFolder,
  removeLandingMark,
  writeLandingMark,
} from './landing-mark.ts';
import { leaveOut, moveFiles, prepareMove } from './move-files.ts';
import type { WorkTree } from './work-tree.ts';
import { undoLanding } from './undo-landing.ts';
import { mergingGit } from './safe-git.ts';

/** What is to be brought into the project's own files. */
export type LandingOrder = {
  /** Descends from the commit that is checked out. */
  readonly sha: string;
  readonly into: string;
  /** A commit that the log names: of the task, for git's own history. */
  readonly message: string;
  /** The project's `.clifford`. */
  readonly dir: string;
};

/**
 * Brings the branch that is checked out in the project forward to a commit, with its files. What somebody has changed in
 * other files, and what is staged of them, stays. One at a time in a project, and safe to call again, wherever it was ended
 * before: the files become what they are to be first, then the index, then the branch; what a landing that was ended
 * meanwhile has left, of this commit or of another, is undone.
 *
 * @returns `moved`: the branch has another commit by now, from which this one does not descend.
 * @throws {CliffordError} `UNCOMMITTED`: why it cannot be, e.g. since one of the files has changes that no commit has.
 */
export async function landCommit(place: GitPlace, order: LandingOrder): Promise<'landed' | 'moved'> {
  return inGitTurn(place, order.dir, () => land(place, order));
}

async function land(place: GitPlace, { sha, into, message, dir }: LandingOrder): Promise<'landed' | 'moved'> {
  const { top, index, prefix, underWay } = await findRepository(new Git(place), place.cwd);
  const git = await mergingGit({ ...place, cwd: top });
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD']);
  if (stdout.toString('utf8').trim() !== `refs/heads/${into}`)
    throw uncommitted(`${into} is not checked out in the project`, `Check it out with: git switch ${into}`);
  if (underWay !== undefined) throw uncommitted(`${underWay} is under way in the project`, 'End it');
  const from = await headOf(git);
  if (from === undefined) throw uncommitted(`${into} has no commit any more`);
  if ((await git.run(['merge-base', '--is-ancestor', sha, from])).code === 0) return 'landed';
  if ((await git.run(['merge-base', '--is-ancestor', from, sha])).code !== 0) return 'moved';

  const changes = await changesFrom(git, from, sha);
  refuseOwnFiles(changes, prefix);
  refuseOddNames(changes);
  const landing = { git, dir, from, sha, into, message, changes, signal: place.signal };
  const newWorkTree = (): WorkTree => ({ top, index, scratch: makeLandingFolder(dir) });
  return workAndThen(
    () => bringForward(landing, newWorkTree),
    `removing what it needed in ${dir}`,
    () => {
      // Whoever undoes what it has left needs its mark.
      if (readLandingMark(dir) === undefined) removeLandingFolder(dir);
    },
  );
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
    await followCommit(git, changes, { onlyUntouched: false });
    await leaveOut(git, workTree, changes);
    const named = await git.run(['update-ref', '-m', message, `refs/heads/${into}`, sha, from]);
    if (named.code !== 0) throw uncommitted(withLastLines(named.how, named.stderr));
  } catch (error) {
    landing.signal.throwIfAborted();
    if ((await headAfterUndo(landing, error, newWorkTree)) !== from) return 'moved';
    throw error;
  }
  removeLandingMark(dir);
  return 'landed';
}

/** The branch does not have the commit: nor are the files to have it. @returns the commit that it has instead. */
async function headAfterUndo(
  { git, dir, from, signal }: Landing,
  why: unknown,
  newWorkTree: () => WorkTree,
): Promise<string> {
  try {
    const head = (await headOf(git)) ?? from;
    await undoLanding(git, { stateDir: dir, head, workTree: newWorkTree() });
    return head;
  } catch (error) {
    signal.throwIfAborted();
    throw withSecond(why, 'taking back what it had changed', error);
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
