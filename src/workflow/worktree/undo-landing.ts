import { rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import type { Git } from '../commit/git.ts';
import { followCommit } from '../commit/own-commit.ts';
import { changesFrom, NO_FILE } from '../commit/staged-tree.ts';
import { readLandingMark, removeLandingMark, type LandingMark } from './landing-mark.ts';
import { alreadyMade, type WorkTree } from './move-files.ts';

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
    const { top, copy } = workTree;
    const made = await alreadyMade(git, top, await changesFrom(git, mark.from, mark.sha));
    const paths = new Set(made.map(({ path }) => path));
    const all = (await changesFrom(git, mark.sha, head)).filter(({ path }) => paths.has(path));
    const without = (kept: readonly string[]) => {
      const known = new Set(kept);
      return all.filter(({ path }) => !known.has(path));
    };
    const back = without(mark.made);
    await git.read(['read-tree', head], { index: copy });
    for (const { path, newMode } of back) if (newMode === NO_FILE) removeFile(top, path);
    const input = back
      .filter(({ newMode }) => newMode !== NO_FILE)
      .map(({ path }) => `${path}\0`)
      .join('');
    if (input !== '') await git.read(['checkout-index', '--force', '-z', '--stdin'], { index: copy, input });
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

/** Removes a file, and the folders that are empty without it. */
function removeFile(top: string, path: string): void {
  rmSync(join(top, path), { force: true });
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(top, folder));
  } catch (error) {
    if (!isMissing(error) && !['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(codeOf(error) ?? '')) throw error;
  }
}
