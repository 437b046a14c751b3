import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { Git, withLastLines, type GitPlace } from '../git/git.ts';
import { followCommit } from '../git/user-index.ts';
import { findRepository, headOf, isAncestor } from '../git/repository.ts';
import { changesFrom, NO_FILE, type TreeChange } from '../git/staged-tree.ts';
import { uncommitted } from '../git/uncommitted.ts';
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
 * Undoes an unfinished landing, in one's turn: whoever commits or lands in the project's own files would take it for the work of
 * somebody. Not while a merge, or the like, of somebody's is under way: it may have brought the same.
 *
 * @param place - In the project.
 * @throws {CliffordError} `UNCOMMITTED` when that cannot be; it is tried again the next time.
 */
export async function undoInTurn(place: GitPlace, stateDir: string): Promise<void> {
  if (readLandingMark(stateDir) === undefined) {
    removeLandingFolder(stateDir);
    return;
  }
  try {
    const { top, index, underWay } = await findRepository(new Git(place), place.cwd);
    const git = new Git({ ...place, cwd: top });
    const head = await headOf(git);
    if (underWay !== undefined || head === undefined) return;
    const workTree = { top, index, scratch: makeLandingFolder(stateDir) };
    await undoLanding(git, { stateDir, head, workTree });
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    const { message, code, fix, recovery } = error;
    throw new CliffordError(notUndone(message), { code, fix, recovery, cause: error });
  }
  removeLandingFolder(stateDir);
}

/** What is said where that cannot be. */
export function notUndone(why: string): string {
  return `an earlier merge was left unfinished in the files of the project, and cannot be undone: ${why}`;
}

/**
 * Makes the files, and their entries in the index, those of the commit that is checked out again where a landing is
 * unfinished. Only files that are as the other commit has them change: what they hold is in git, whoever wrote it. What
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
  if (mark && (await mayBeOurs(git, mark, workTree))) {
    const changes = await changesFrom(git, mark.from, mark.sha);
    removeTemporaries({ top: workTree.top, temporary: temporaryOf(mark) }, changes);
    // The branch has it where it was ended behind its last step.
    if (!(await isAncestor(git, mark.sha, head))) await undoFiles(git, { workTree, mark, changes, head });
  }
  removeLandingMark(stateDir);
}

async function undoFiles(
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

/** Whether a landing may have written this mark. Where git cannot tell, nothing is taken for forged. */
async function mayBeOurs(git: Git, { from, sha }: LandingMark, { scratch }: WorkTree): Promise<boolean> {
  const types = await git.read(['cat-file', '--batch-check=%(objecttype)'], { input: `${from}\n${sha}\n` });
  if (types !== 'commit\ncommit\n') return false;
  return (await isAncestor(git, from, sha)) && mayBeCheckedOut(git, sha, join(scratch, 'tried'));
}

/** Whether git would make files of it: no landing has begun with a commit that has paths out of the work tree, or into `.git`. */
async function mayBeCheckedOut(git: Git, sha: string, index: string): Promise<boolean> {
  const { code, how, stderr } = await git.run(['read-tree', sha], { index });
  if (code === 0) return true;
  if (stderr.includes('invalid path')) return false;
  throw uncommitted(withLastLines(how, stderr), 'See to it, and try it again');
}
