import { lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from '../../lib/files/folder-watch.ts';
import { splitNul, type Git } from '../commit/git.ts';
import { copyIndex, NO_FILE, toIndexInfo, type TreeChange } from '../commit/staged-tree.ts';

/** Files of a project that git has checked out. */
export type WorkTree = {
  /** Its top folder, absolute. Git is run there. */
  readonly top: string;
  /** The user's index: it is only read. */
  readonly index: string;
  /** An empty folder for what is needed meanwhile, absolute. */
  readonly scratch: string;
};

/** Two commits, and what is different between them. */
export type Move = { readonly from: string; readonly to: string; readonly changes: readonly TreeChange[] };

/** Tells apart what has stood at each path. */
export type SeenFiles = ReadonlyMap<string, string>;

/** What stands at these paths now. */
export function seenFiles(top: string, changes: readonly TreeChange[]): SeenFiles {
  return new Map(changes.map(({ path }) => [path, stampOf(top, path)]));
}

/** Is another one after each change of a file. `''`: there is no file, though perhaps a folder. */
export function stampOf(top: string, path: string): string {
  const found = lookWithin(top, path);
  if (!found || found.isDirectory()) return '';
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs, found.mode].join(':');
}

/** Those of the changes whose files are already what they are to become: content, mode, and what links lead to. */
export async function alreadyMade(
  git: Git,
  { top, index, scratch }: WorkTree,
  changes: readonly TreeChange[],
): Promise<TreeChange[]> {
  const asToBe = join(scratch, 'as-to-be');
  await copyIndex(index, asToBe);
  await takeIn(git, asToBe, changes);
  const others = new Set(splitNul(await git.read(['diff-files', '--name-only', '-z'], { index: asToBe })));
  return changes.filter(({ newMode, path }) => (newMode === NO_FILE ? isGone(top, path) : !others.has(path)));
}

/** Has an index say what these changes lead to, and know which of their files are so. */
export async function takeIn(git: Git, index: string, changes: readonly TreeChange[]): Promise<void> {
  if (changes.length > 0)
    await git.read(['update-index', '-z', '--index-info'], { index, input: toIndexInfo(changes) });
  await git.run(['update-index', '-q', '--refresh'], { index });
}

/** Whether there is no file of this path any more: none, or a folder. */
function isGone(top: string, path: string): boolean {
  return lookWithin(top, path)?.isDirectory() ?? true;
}

/** What stands at a path, which leads over folders only: what is behind a link is not in the work tree. */
export function lookWithin(top: string, path: string): BigIntStats | undefined {
  const folders = path.split('/').slice(0, -1);
  let folder = top;
  for (const name of folders) {
    folder = join(folder, name);
    if (lookAt(folder, lstatSync)?.isDirectory() !== true) return undefined;
  }
  return lookAt(join(top, path), lstatSync);
}
