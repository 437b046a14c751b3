import { join } from 'node:path';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { withLastLines, type GitPlace } from '../commit/git.ts';
import { inGitTurn } from '../commit/git-turn.ts';
import { followCommit, stagedAs } from '../commit/own-commit.ts';
import { findRepository, headOf } from '../commit/repository.ts';
import { changesFrom, type TreeChange } from '../commit/staged-tree.ts';
import { uncommitted } from '../commit/uncommitted.ts';
import { landingFolder, removeLandingMark, writeLandingMark } from './landing-mark.ts';
import { leaveOut, moveFiles, prepareMove } from './move-files.ts';
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
  const { signal } = place;
  const home = await mergingGit(place);
  const top = (await home.read(['rev-parse', '--show-toplevel'])).trim();
  const git = await mergingGit({ ...place, cwd: top });
  const { index, underWay } = await findRepository(home, place.cwd);
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD']);
  if (stdout.toString('utf8').trim() !== `refs/heads/${into}`)
    throw uncommitted(`${into} is not checked out in the project`, `Check it out with: git switch ${into}`);
  if (underWay !== undefined) throw uncommitted(`${underWay} is under way in the project`, 'End it');
  const from = await headOf(git);
  if (from === undefined) throw uncommitted(`${into} has no commit any more`);

  const folder = landingFolder(dir);
  makeOwnFolders(folder, dir);
  const workTree = { top, index, copy: join(folder, 'index') };
  await undoLanding(git, { stateDir: dir, head: from, workTree });
  if ((await git.run(['merge-base', '--is-ancestor', sha, from])).code === 0) return 'landed';
  if ((await git.run(['merge-base', '--is-ancestor', from, sha])).code !== 0) return 'moved';

  const changes = await changesFrom(git, from, sha);
  makeOwnFolders(folder, dir);
  const move = { from, to: sha, changes };
  try {
    const made = pathsOf(await prepareMove(git, workTree, move));
    const staged = pathsOf(await stagedAs(git, changes, 'new'));
    await writeLandingMark(dir, { from, sha, made, staged });
    await moveFiles(git, workTree, move);
  } catch (error) {
    if (!signal.aborted) await undoLanding(git, { stateDir: dir, head: from, workTree });
    throw error;
  }
  await followCommit(git, changes, { onlyUntouched: false });
  await leaveOut(git, workTree, changes);
  const named = await git.run(['update-ref', '-m', message, `refs/heads/${into}`, sha, from]);
  if (named.code === 0) {
    removeLandingMark(dir);
    return 'landed';
  }
  // The branch does not have the commit: nor are the files to have it.
  const now = await headOf(git);
  await undoLanding(git, { stateDir: dir, head: now ?? from, workTree });
  if (now !== from) return 'moved';
  throw uncommitted(withLastLines(named.how, named.stderr));
}

function pathsOf(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => path);
}
