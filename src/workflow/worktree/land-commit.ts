import { join } from 'node:path';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { withLastLines, type Git, type GitPlace } from '../commit/git.ts';
import { inGitTurn } from '../commit/git-turn.ts';
import { followCommit } from '../commit/own-commit.ts';
import { findRepository, headOf } from '../commit/repository.ts';
import { changesFrom } from '../commit/staged-tree.ts';
import { uncommitted } from '../commit/uncommitted.ts';
import {
  landingFolder,
  readLandingMark,
  removeLandingMark,
  writeLandingMark,
  type LandingMark,
} from './landing-mark.ts';
import { moveFiles, type Move } from './move-files.ts';
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
  const files = { top, index, copy: join(folder, 'index') };
  await undoInterrupted(git, { dir, head: from, files });
  if ((await git.run(['merge-base', '--is-ancestor', sha, from])).code === 0) return 'landed';
  if ((await git.run(['merge-base', '--is-ancestor', from, sha])).code !== 0) return 'moved';

  const changes = await changesFrom(git, from, sha);
  makeOwnFolders(folder, dir);
  await writeLandingMark(dir, { from, sha });
  const moved = await moveFiles(git, { ...files, from, to: sha, made: changes });
  if (moved.code !== 0) {
    removeLandingMark(dir);
    throw uncommitted(
      `files of the project have changes that no commit has: ${withLastLines(moved.how, moved.stderr)}`,
      'Commit them, or put them aside with: git stash',
    );
  }
  await followCommit(git, changes, { onlyUntouched: false });
  const named = await git.run(['update-ref', '-m', message, `refs/heads/${into}`, sha, from]);
  // The files of a commit that the branch does not have are taken back by the next landing.
  if (named.code !== 0 && (await headOf(git)) !== from) return 'moved';
  if (named.code !== 0) throw uncommitted(withLastLines(named.how, named.stderr));
  removeLandingMark(dir);
  return 'landed';
}

/**
 * Makes the files, and their entries in the index, those of the commit that is checked out again where a landing was ended
 * in the middle. Only what is as the other commit has it changes: it is in git, whoever wrote it.
 */
async function undoInterrupted(
  git: Git,
  { dir, head, files }: { dir: string; head: string; files: Pick<Move, 'top' | 'index' | 'copy'> },
): Promise<void> {
  const mark = readLandingMark(dir);
  if (mark && (await isLeftHalfDone(git, mark, head))) {
    const { from, sha } = mark;
    const made = await changesFrom(git, from, sha);
    const paths = new Set(made.map(({ path }) => path));
    const back = (await changesFrom(git, sha, head)).filter(({ path }) => paths.has(path));
    const { code } = await moveFiles(git, { ...files, from: sha, to: head, made });
    if (code === 0) await followCommit(git, back, { onlyUntouched: true });
  }
  removeLandingMark(dir);
}

/** Whether both commits are in the repository and the branch never came to the second one. */
async function isLeftHalfDone(git: Git, { from, sha }: LandingMark, head: string): Promise<boolean> {
  const isAncestor = async (one: string, other: string) =>
    (await git.run(['merge-base', '--is-ancestor', one, other])).code === 0;
  return (await isAncestor(from, sha)) && !(await isAncestor(sha, head));
}
