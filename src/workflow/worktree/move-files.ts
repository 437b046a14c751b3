import { copyFile } from 'node:fs/promises';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { codeOf } from '../../lib/system-error.ts';
import { splitNul, withLastLines, type Git } from '../commit/git.ts';
import { updateIndex } from '../commit/own-commit.ts';
import { NO_FILE, type TreeChange } from '../commit/staged-tree.ts';
import { listed } from '../commit/task-changes.ts';
import { uncommitted } from '../commit/uncommitted.ts';

/** Where files are moved from one commit to another. */
export type WorkTree = {
  /** Its top folder, absolute. Git is run there. */
  readonly top: string;
  /** Its index: it is only read. */
  readonly index: string;
  /** Where a copy of that is made, absolute. */
  readonly copy: string;
};

/** A checkout of a large repository takes its time, in ms. */
const LIMIT_MS = 20 * 60_000;

/** So many paths are named to one command of git: each may have 4 KiB, and all of them 2 MiB. */
const MOST_PATHS = 200;

/** Two commits, and what is different between them. */
export type Move = { readonly from: string; readonly to: string; readonly changes: readonly TreeChange[] };

/**
 * Looks whether the files of a work tree can be brought from one commit to another, so that what somebody has changed or
 * removed, and what git does not know, stays. Makes the copy of the index with which {@link moveFiles} does it; nothing else
 * changes.
 *
 * @returns those of the changes whose files somebody has made already: they are left as they are.
 * @throws {CliffordError} `UNCOMMITTED` naming what of somebody's would be lost.
 */
export async function prepareMove(
  git: Git,
  { top, index, copy }: WorkTree,
  move: Move,
): Promise<readonly TreeChange[]> {
  const { changes } = move;
  await copyFile(index, copy).catch(ignoreMissing);
  await git.run(['update-index', '-q', '--refresh'], { index: copy });
  const made = await alreadyMade(git, top, changes);
  await takeIn(git, copy, made);
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
  await readTree(git, copy, move, ['--dry-run']);
  return made;
}

/**
 * Brings them there, after {@link prepareMove}: all or none unless it is ended meanwhile.
 *
 * @throws {CliffordError} `UNCOMMITTED`: somebody has changed one of them since.
 */
export async function moveFiles(git: Git, { copy }: Pick<WorkTree, 'copy'>, move: Move): Promise<void> {
  await readTree(git, copy, move);
}

/** Has the index say of the changed files of a sparse checkout that they are to be in no work tree: a new entry does not. */
export async function leaveOut(
  git: Git,
  { copy }: Pick<WorkTree, 'copy'>,
  changes: readonly TreeChange[],
): Promise<void> {
  const entries = splitNul(await git.read(['ls-files', '-t', '--full-name', '-z'], { index: copy }));
  const leftOut = new Set(entries.filter((entry) => entry.startsWith('S ')).map((entry) => entry.slice(2)));
  const paths = changes.flatMap(({ path }) => (leftOut.has(path) ? [`${path}\0`] : []));
  if (paths.length > 0) await updateIndex(git, ['--skip-worktree', '-z', '--stdin'], paths.join(''));
}

async function readTree(
  git: Git,
  index: string,
  { from, to }: Move,
  how: readonly string[] = [],
): Promise<void> {
  const {
    code,
    how: end,
    stderr,
  } = await git.run(['read-tree', ...how, '-m', '-u', from, to], {
    index,
    limitMs: LIMIT_MS,
  });
  if (code !== 0)
    throw uncommitted(
      `files of the project have changes that no commit has: ${withLastLines(end, stderr)}`,
      'Commit them, or put them aside with: git stash',
    );
}

/** Those that git would write though somebody has removed them: to git, what is not there has not changed. */
async function removedFiles(git: Git, index: string, changes: readonly TreeChange[]): Promise<string[]> {
  const written = new Set(changes.filter(({ newMode }) => newMode !== NO_FILE).map(({ path }) => path));
  const removed = await git.read(['diff-files', '--name-only', '--diff-filter=D', '-z'], { index });
  return splitNul(removed).filter((path) => written.has(path));
}

/** Those of the changes whose files are already what they are to become. */
export async function alreadyMade(
  git: Git,
  top: string,
  changes: readonly TreeChange[],
): Promise<TreeChange[]> {
  const there = changes.filter(({ newMode, path }) => isFile(newMode) && isPlain(top, path));
  const ids: string[] = [];
  for (const some of portions(there)) {
    const output = await git.read(['hash-object', '--', ...some.map(({ path }) => path)]);
    ids.push(...output.trimEnd().split('\n'));
  }
  return [
    ...changes.filter(({ newMode, path }) => newMode === NO_FILE && isGone(top, path)),
    ...there.filter(({ newId }, at) => ids[at] === newId),
  ];
}

/** What stands where files are to be made, and is in no index: git would take ignored files for nobody's. */
async function inTheWay(
  git: Git,
  { top, copy }: Pick<WorkTree, 'top' | 'copy'>,
  changes: readonly TreeChange[],
): Promise<string[]> {
  const made = changes.filter(({ newMode }) => newMode !== NO_FILE).map(({ path }) => path);
  const places = [...new Set(made.flatMap((path) => obstacles(top, path)))];
  const found: string[] = [];
  for (const some of portions(places)) {
    const named = some.map((path) => `:(top,literal)${path}`);
    found.push(...splitNul(await git.read(['ls-files', '-z', '--others', '--', ...named], { index: copy })));
  }
  return found;
}

/** What is where a file is to be: something of its name, or of a folder on the way to it that is none. */
function obstacles(top: string, path: string): string[] {
  if (lstatOf(top, path)) return [path];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = lstatOf(top, folder);
    if (found) return found.isDirectory() ? [] : [folder];
  }
  return [];
}

/** A file with content, as opposed to a link or a submodule. */
function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

/** Whether there is a plain file of this path. */
function isPlain(top: string, path: string): boolean {
  return lstatOf(top, path)?.isFile() === true;
}

/** Whether there is no file of this path any more: none, or a folder. */
function isGone(top: string, path: string): boolean {
  return lstatOf(top, path)?.isDirectory() ?? true;
}

function portions<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MOST_PATHS) }, (_, at) =>
    all.slice(at * MOST_PATHS, (at + 1) * MOST_PATHS),
  );
}

function lstatOf(top: string, path: string): ReturnType<typeof lstatSync> | undefined {
  return ifThere(() => lstatSync(join(top, path)), undefined);
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
