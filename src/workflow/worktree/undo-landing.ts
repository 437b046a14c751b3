import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../commit/git.ts';
import { followCommit } from '../commit/own-commit.ts';
import { changesFrom, NO_FILE } from '../commit/staged-tree.ts';
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
  if (mark && (await isHalfDone(git, mark, head))) {
    const { top, scratch } = workTree;
    const changes = await changesFrom(git, mark.from, mark.sha);
    const seen = seenFiles(top, changes);
    const made = new Set((await alreadyMade(git, workTree, changes)).map(({ path }) => path));
    const all = (await changesFrom(git, mark.sha, head)).filter(({ path }) => made.has(path));
    const without = (kept: readonly string[]) => {
      const known = new Set(kept);
      return all.filter(({ path }) => !known.has(path));
    };
    const back = without(mark.made);
    const [index, files] = [join(scratch, 'as-before'), join(scratch, 'before')];
    await git.read(['read-tree', head], { index });
    await mkdir(files);
    const written = back.filter(({ newMode }) => newMode !== NO_FILE);
    if (written.length > 0)
      await git.read([`--work-tree=${files}`, 'checkout-index', '-z', '--stdin'], {
        index,
        input: written.map(({ path }) => `${path}\0`).join(''),
      });
    placeFiles(top, files, back, seen);
    await followCommit(git, without(mark.staged), { onlyUntouched: true });
  }
  removeLandingMark(stateDir);
}

/** Whether both commits are in the repository and the branch never came to the second one. */
async function isHalfDone(git: Git, { from, sha }: LandingMark, head: string): Promise<boolean> {
  const isAncestor = async (one: string, other: string) =>
    (await git.run(['merge-base', '--is-ancestor', one, other])).code === 0;
  return (await isAncestor(from, sha)) && !(await isAncestor(sha, head));
}
