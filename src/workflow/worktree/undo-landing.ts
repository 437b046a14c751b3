import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Git, type GitPlace } from '../commit/git.ts';
import { followCommit } from '../commit/own-commit.ts';
import { findRepository, headOf } from '../commit/repository.ts';
import { changesFrom, NO_FILE, type TreeChange } from '../commit/staged-tree.ts';
import {
  makeLandingFolder,
  readLandingMark,
  removeLandingFolder,
  removeLandingMark,
  temporaryOf,
  type LandingMark,
} from './landing-mark.ts';
import { placeFiles, removeTemporaries } from './place-files.ts';
import { alreadyMade, seenFiles, type WorkTree } from './work-tree.ts';

/**
 * Undoes what a landing has left that was ended in the middle: whoever commits or lands in the project's own files would take
 * it for the work of somebody. Not while a merge, or the like, of somebody's is under way: it may have brought the same.
 *
 * @param place - In the project.
 * @throws {CliffordError} `UNCOMMITTED` when that cannot be; it is tried again the next time.
 */
export async function undoLeftLanding(place: GitPlace, stateDir: string): Promise<void> {
  if (readLandingMark(stateDir) === undefined) {
    removeLandingFolder(stateDir);
    return;
  }
  const { top, index, underWay } = await findRepository(new Git(place), place.cwd);
  const git = new Git({ ...place, cwd: top });
  const head = await headOf(git);
  if (underWay !== undefined || head === undefined) return;
  await undoLanding(git, { stateDir, head, workTree: { top, index, scratch: makeLandingFolder(stateDir) } });
  removeLandingFolder(stateDir);
}

/**
 * Makes the files, and their entries in the index, those of the commit that is checked out again where a landing was ended
 * in the middle. Only files that are as the other commit has them change: what they hold is in git, whoever wrote it. What
 * somebody had made so before the landing began stays, and what was staged of it.
 *
 * @param head - The commit that is checked out.
 * @throws {CliffordError} `UNCOMMITTED` when that cannot be; it is tried again the next time.
 */
export async function undoLanding(
  git: Git,
  { stateDir, head, workTree }: { stateDir: string; head: string; workTree: WorkTree },
): Promise<void> {
  const mark = readLandingMark(stateDir);
  if (mark && (await isOfHere(git, mark)) && (await mayBeCheckedOut(git, mark, workTree))) {
    const changes = await changesFrom(git, mark.from, mark.sha);
    removeTemporaries({ top: workTree.top, temporary: temporaryOf(mark) }, changes);
    // The branch has it where it was ended behind its last step.
    if (!(await isAncestor(git, mark.sha, head))) await takeBack(git, { workTree, mark, changes, head });
  }
  removeLandingMark(stateDir);
}

async function takeBack(
  git: Git,
  {
    workTree,
    mark,
    changes,
    head,
  }: { workTree: WorkTree; mark: LandingMark; changes: readonly TreeChange[]; head: string },
): Promise<void> {
  const { top, scratch } = workTree;
  const seen = seenFiles(top, changes);
  const back = await changesFrom(git, mark.sha, head);
  const within = (some: readonly TreeChange[], without: readonly string[]) => {
    const [paths, kept] = [new Set(some.map(({ path }) => path)), new Set(without)];
    return back.filter(({ path }) => paths.has(path) && !kept.has(path));
  };
  const due = within(await alreadyMade(git, workTree, changes, seen), mark.made);
  const [index, files] = [join(scratch, 'as-before'), join(scratch, 'before')];
  await git.read(['read-tree', head], { index });
  await mkdir(files);
  const written = due.filter(({ newMode }) => newMode !== NO_FILE);
  if (written.length > 0)
    await git.read([`--work-tree=${files}`, 'checkout-index', '-z', '--stdin'], {
      index,
      input: written.map(({ path }) => `${path}\0`).join(''),
    });
  await placeFiles({ top, files, temporary: temporaryOf(mark) }, due, seen);
  await followCommit(git, within(changes, mark.staged), { onlyUntouched: true });
}

/** Whether both commits are in the repository, and the second one descends from the first. */
function isOfHere(git: Git, { from, sha }: LandingMark): Promise<boolean> {
  return isAncestor(git, from, sha);
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.run(['merge-base', '--is-ancestor', one, other])).code === 0;
}

/** Whether git would make files of it: no landing has begun with a commit that has paths out of the work tree, or into `.git`. */
async function mayBeCheckedOut(git: Git, { sha }: LandingMark, { scratch }: WorkTree): Promise<boolean> {
  return (await git.run(['read-tree', sha], { index: join(scratch, 'tried') })).code === 0;
}
