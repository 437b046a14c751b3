import { copyFile } from 'node:fs/promises';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../lib/system-error.ts';
import { splitNul, type Git, type GitEnd } from '../commit/git.ts';
import { NO_FILE, type TreeChange } from '../commit/staged-tree.ts';

/** From which commit to which the files of a work tree are brought. */
export type Move = {
  /** The work tree's top folder, absolute. Git is run there. */
  readonly top: string;
  /** The index of the work tree: it is only read. */
  readonly index: string;
  /** Where a copy of it is made, absolute. */
  readonly copy: string;
  readonly from: string;
  readonly to: string;
  /** Those of them count as what they are to become by these changes whose files are that already, whatever the index says. */
  readonly made: readonly TreeChange[];
};

/** A checkout of a large repository takes its time, in ms. */
const LIMIT_MS = 20 * 60_000;

/**
 * Brings the files of a work tree from one commit to another, all or none unless it is ended meanwhile. What somebody has
 * changed in other files stays.
 *
 * @returns how git ended: not with 0 where one of the files has changes that no commit has.
 */
export async function moveFiles(git: Git, { top, index, copy, from, to, made }: Move): Promise<GitEnd> {
  await copyFile(index, copy).catch(ignoreMissing);
  await git.run(['update-index', '-q', '--refresh'], { index: copy });
  await takeIn(git, copy, await asMade(git, top, made));
  return git.run(['read-tree', '-m', '-u', from, to], { index: copy, limitMs: LIMIT_MS });
}

/** Those of the changes whose files are already what they are to become. */
async function asMade(git: Git, top: string, changes: readonly TreeChange[]): Promise<TreeChange[]> {
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
