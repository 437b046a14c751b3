import { copyFile } from 'node:fs/promises';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/system-error.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { splitNul, withLastLines, type Git, type GitPlace } from '../commit/git.ts';
import { followCommit } from '../commit/own-commit.ts';
import { findRepository, headOf } from '../commit/repository.ts';
import { changesFrom, NO_FILE, type TreeChange } from '../commit/staged-tree.ts';
import { uncommitted } from '../commit/uncommitted.ts';
import { mergingGit } from './safe-git.ts';

/** What is to be brought into the project's own files. */
export type LandingOrder = {
  /** Descends from the commit that is checked out. */
  readonly sha: string;
  readonly into: string;
  /** A commit that the log names: of the task, for git's own history. */
  readonly message: string;
  /** A folder of ours for what is needed meanwhile, absolute. `base`: it is made below that. */
  readonly dir: string;
  readonly base: string;
};

/**
 * Brings the branch that is checked out in the project forward to a commit, with its files. What somebody has changed in
 * other files, and what is staged of them, stays. Safe to call again, wherever it was ended before: the files become what they are to
 * be first, then the index, then the branch.
 *
 * @returns `moved`: the branch has another commit by now, from which this one does not descend.
 * @throws {CliffordError} `UNCOMMITTED`: why it cannot be, e.g. since one of the files has changes that no commit has.
 */
export async function landCommit(place: GitPlace, order: LandingOrder): Promise<'landed' | 'moved'> {
  const { sha, into, message, dir, base } = order;
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
  if ((await git.run(['merge-base', '--is-ancestor', sha, from])).code === 0) return 'landed';
  if ((await git.run(['merge-base', '--is-ancestor', from, sha])).code !== 0) return 'moved';

  const changes = await changesFrom(git, from, sha);
  makeOwnFolders(dir, base);
  const own = mkdtempSync(join(dir, 'landing-'));
  try {
    const copy = join(own, 'index');
    await copyFile(index, copy).catch(ignoreMissing);
    await git.run(['update-index', '-q', '--refresh'], { index: copy });
    await takeIn(git, copy, await asToBe(git, top, changes));
    const read = await git.run(['read-tree', '-m', '-u', from, sha], { index: copy, limitMs: 20 * 60_000 });
    if (read.code !== 0)
      throw uncommitted(
        `files of the project have changes that no commit has: ${withLastLines(read.how, read.stderr)}`,
        'Commit them, or put them aside with: git stash',
      );
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  await followCommit(git, changes, { onlyUntouched: false });
  const moved = await git.run(['update-ref', '-m', message, `refs/heads/${into}`, sha, from]);
  return moved.code === 0 ? 'landed' : 'moved';
}

/** Those of the changes whose files are already what they are to become: a landing before this one was interrupted. */
async function asToBe(git: Git, top: string, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  const gone = changes.filter(({ newMode }) => newMode === NO_FILE);
  const there = changes.filter(({ newMode, path }) => isFile(newMode) && isPlain(top, path));
  const input = there.map(({ path }) => `${path}\n`).join('');
  const ids =
    there.length === 0 ? [] : (await git.read(['hash-object', '--stdin-paths'], { input })).split('\n');
  const deleted =
    gone.length === 0 ? [] : splitNul(await git.read(['ls-files', '-z', '--deleted', '--', ...paths(gone)]));
  return [
    ...there.filter(({ newId }, at) => ids[at] === newId),
    ...gone.filter(({ path }) => deleted.includes(path)),
  ];
}

/** A file with content, as opposed to a link or a submodule. */
function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

/** Whether there is a plain file of this path, one that can be named on a line. */
function isPlain(top: string, path: string): boolean {
  return !path.includes('\n') && lstatSync(join(top, path), { throwIfNoEntry: false })?.isFile() === true;
}

function paths(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => `:(top,literal)${path}`);
}

async function takeIn(git: Git, index: string, changes: readonly TreeChange[]): Promise<void> {
  if (changes.length === 0) return;
  const input = changes
    .map(({ newMode, newId, path }) => `${newMode === NO_FILE ? '0' : newMode} ${newId}\t${path}\0`)
    .join('');
  await git.read(['update-index', '-z', '--index-info'], { index, input });
  await git.run(['update-index', '-q', '--refresh'], { index });
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
