import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../commit/git.ts';
import { followCommit } from '../commit/own-commit.ts';
import { changesFrom, NO_FILE, type TreeChange } from '../commit/staged-tree.ts';
import { readLandingMark, removeLandingMark, type LandingMark } from './landing-mark.ts';
import { placeFiles } from './place-files.ts';
import { alreadyMade, seenFiles, type WorkTree } from './work-tree.ts';

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
  if (mark && (await isHalfDone(git, mark, head)) && (await mayBeCheckedOut(git, mark, workTree))) {
    const { top, scratch } = workTree;
    const changes = await changesFrom(git, mark.from, mark.sha);
    const seen = seenFiles(top, changes);
    const back = await changesFrom(git, mark.sha, head);
    const within = (some: readonly TreeChange[], without: readonly string[]) => {
      const [paths, kept] = [new Set(some.map(({ path }) => path)), new Set(without)];
      return back.filter(({ path }) => paths.has(path) && !kept.has(path));
    };
    const due = within(await alreadyMade(git, workTree, changes), mark.made);
    const [index, files] = [join(scratch, 'as-before'), join(scratch, 'before')];
    await git.read(['read-tree', head], { index });
    await mkdir(files);
    const written = due.filter(({ newMode }) => newMode !== NO_FILE);
    if (written.length > 0)
      await git.read([`--work-tree=${files}`, 'checkout-index', '-z', '--stdin'], {
        index,
        input: written.map(({ path }) => `${path}\0`).join(''),
      });
    placeFiles(top, files, due, seen);
    await followCommit(git, within(changes, mark.staged), { onlyUntouched: true });
  }
  removeLandingMark(stateDir);
}

/** Whether both commits are in the repository and the branch never came to the second one. */
async function isHalfDone(git: Git, { from, sha }: LandingMark, head: string): Promise<boolean> {
  const isAncestor = async (one: string, other: string) =>
    (await git.run(['merge-base', '--is-ancestor', one, other])).code === 0;
  return (await isAncestor(from, sha)) && !(await isAncestor(sha, head));
}

/** Whether git would make files of it: no landing has begun with a commit that has paths out of the work tree, or into `.git`. */
async function mayBeCheckedOut(git: Git, { sha }: LandingMark, { scratch }: WorkTree): Promise<boolean> {
  return (await git.run(['read-tree', sha], { index: join(scratch, 'tried') })).code === 0;
}
