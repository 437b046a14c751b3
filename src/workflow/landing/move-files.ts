import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CHECKOUT_LIMIT_MS, splitNul, withLastLines, type Git } from '../git/git.ts';
import { changeIndex, stagedAs } from '../git/user-index.ts';
import { copyIndex, NO_FILE, type TreeChange } from '../git/staged-tree.ts';
import { listed } from '../../lib/text/listed.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { temporaryOf } from './landing-mark.ts';
import { placeFiles } from './place-files.ts';
import {
  alreadyMade,
  lookWithin,
  seenFiles,
  takeIn,
  type KnownFolders,
  type Move,
  type SeenFiles,
  type WorkTree,
} from './work-tree.ts';

/** So many paths are named to one command of git: each may have 4 KiB, and all of them 2 MiB. */
const MOST_PATHS = 200;

/** What was found before the files are moved. */
export type PreparedMove = {
  /** Paths whose files, and whose entries in the index, somebody has made already as they are to become. */
  readonly made: readonly string[];
  readonly staged: readonly string[];
  readonly seen: SeenFiles;
};

/**
 * Looks whether the files of a work tree can be brought from one commit to another, so that what somebody has changed or
 * removed, and what git does not know, stays. Nothing changes.
 *
 * @throws {CliffordError} `UNCOMMITTED` naming what of somebody's would be lost.
 */
export async function prepareMove(git: Git, workTree: WorkTree, move: Move): Promise<PreparedMove> {
  const { top } = workTree;
  const { changes } = move;
  const copy = copyIn(workTree);
  const seen = seenFiles(top, changes);
  await copyIndex(workTree.index, copy);
  const made = pathsOf(await alreadyMade(git, workTree, changes, seen));
  const [old, staged] = [
    pathsOf(await stagedAs(git, changes, 'old')),
    pathsOf(await stagedAs(git, changes, 'new')),
  ];
  const lost = [...made].filter((path) => !old.has(path) && !staged.has(path));
  if (lost.length > 0)
    throw uncommitted(
      `what is staged of files of the project would be lost: ${listed(lost)}`,
      'Commit it, or put it aside with: git stash',
    );
  await takeIn(
    git,
    copy,
    changes.filter(({ path }) => made.has(path)),
  );
  const unknown = await inTheWay(git, { top, copy }, changes);
  if (unknown.length > 0)
    throw uncommitted(
      `files that git does not know would be overwritten: ${listed(unknown)}`,
      'Move them out of the way, or commit them',
    );
  const removed = await removedFiles(git, copy, changes);
  if (removed.length > 0)
    throw uncommitted(
      `files of the project that somebody has deleted would be there again: ${listed(removed)}`,
      'Commit that, or bring them back with: git restore',
    );
  await readTree(git, copy, move, { args: ['--dry-run'] });
  return { made: [...made], staged: [...staged], seen };
}

/**
 * Brings them there, after {@link prepareMove}: git writes them beside the work tree, and each takes its place as a whole.
 *
 * @throws {CliffordError} `UNCOMMITTED` when one cannot be written, or somebody has changed it since.
 */
export async function moveFiles(
  git: Git,
  workTree: WorkTree,
  move: Move,
  { made, seen }: PreparedMove,
): Promise<void> {
  const files = join(workTree.scratch, 'files');
  await mkdir(files);
  // Nothing stands there yet: git writes what is different, and nothing of what is the same.
  await readTree(git, copyIn(workTree), move, { workTree: files });
  const known = new Set(made);
  const due = move.changes.filter(({ path }) => !known.has(path));
  await placeFiles({ top: workTree.top, files, temporary: temporaryOf({ sha: move.to }) }, due, seen);
}

/**
 * Has the user's index say of what is different between two commits what the second one says, all of it at once. Whatever else
 * is staged stays.
 *
 * @throws {CliffordError} `UNCOMMITTED` when something is staged of it that neither of them has.
 */
export async function stageMove(git: Git, { from, to }: Pick<Move, 'from' | 'to'>): Promise<void> {
  await changeIndex(git, ['read-tree', '-m', '-i', from, to]);
}

/** Has the index say of the changed files of a sparse checkout that they are to be in no work tree: a new entry does not. */
export async function leaveOut(git: Git, workTree: WorkTree, changes: readonly TreeChange[]): Promise<void> {
  const entries = splitNul(
    await git.read(['ls-files', '-t', '--full-name', '-z'], { index: copyIn(workTree) }),
  );
  const leftOut = new Set(entries.filter((entry) => entry.startsWith('S ')).map((entry) => entry.slice(2)));
  const paths = changes.flatMap(({ path }) => (leftOut.has(path) ? [`${path}\0`] : []));
  if (paths.length > 0)
    await changeIndex(git, ['update-index', '--skip-worktree', '-z', '--stdin'], paths.join(''));
}

/** The copy of the index with which files are moved. */
function copyIn({ scratch }: WorkTree): string {
  return join(scratch, 'index');
}

async function readTree(
  git: Git,
  index: string,
  { from, to }: Move,
  { args = [], workTree }: { args?: readonly string[]; workTree?: string },
): Promise<void> {
  const elsewhere = workTree === undefined ? [] : [`--work-tree=${workTree}`];
  const { code, how, stderr } = await git.run([...elsewhere, 'read-tree', ...args, '-m', '-u', from, to], {
    index,
    limitMs: CHECKOUT_LIMIT_MS,
  });
  if (code === 0) return;
  const why = withLastLines(how, stderr);
  if (workTree !== undefined) throw uncommitted(`its files cannot be written: ${why}`, 'See to it');
  throw uncommitted(
    `files of the project have changes that no commit has: ${why}`,
    'Commit them, or put them aside with: git stash',
  );
}

/** Those that git would write though somebody has removed them: to git, what is not there has not changed. */
async function removedFiles(git: Git, index: string, changes: readonly TreeChange[]): Promise<string[]> {
  const written = pathsOf(changes.filter(({ newMode }) => newMode !== NO_FILE));
  const removed = await git.read(['diff-files', '--name-only', '--diff-filter=D', '-z'], { index });
  return splitNul(removed).filter((path) => written.has(path));
}

/** What stands where files are to be made, and is in no index: git would take ignored files for nobody's. */
async function inTheWay(
  git: Git,
  { top, copy }: { top: string; copy: string },
  changes: readonly TreeChange[],
): Promise<string[]> {
  const made = changes.filter(({ newMode }) => newMode !== NO_FILE).map(({ path }) => path);
  const folders: KnownFolders = new Map();
  const places = [...new Set(made.flatMap((path) => obstacles(top, path, folders)))];
  const found: string[] = [];
  for (let at = 0; at < places.length; at += MOST_PATHS) {
    const named = places.slice(at, at + MOST_PATHS).map((path) => `:(top,literal)${path}`);
    found.push(...splitNul(await git.read(['ls-files', '-z', '--others', '--', ...named], { index: copy })));
  }
  return found;
}

/** What is where a file is to be: something of its name, or of a folder on the way to it that is none. */
function obstacles(top: string, path: string, folders: KnownFolders): string[] {
  if (lookWithin(top, path, folders)) return [path];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = lookWithin(top, folder, folders);
    if (found) return found.isDirectory() ? [] : [folder];
  }
  return [];
}

function pathsOf(changes: readonly TreeChange[]): Set<string> {
  return new Set(changes.map(({ path }) => path));
}
