import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookAt } from '../../lib/files/folder-watch.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { splitNul, withLastLines, type Git } from '../git/git.ts';
import { copyIndex, NO_FILE, toIndexInfo, type TreeChange } from '../git/staged-tree.ts';
import { uncommitted } from '../git/uncommitted.ts';

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

/** What has stood at some paths. */
export type SeenFiles = {
  /** By path; `undefined`: no file, though perhaps a folder. */
  readonly files: ReadonlyMap<string, BigIntStats | undefined>;
  /** Paths at which a file system that ignores case finds what is the file of another of them. They have none of their own. */
  readonly otherNames: ReadonlySet<string>;
};

/** What stands at the paths of these changes now. */
export function seenFiles(top: string, changes: readonly TreeChange[]): SeenFiles {
  const folders: KnownFolders = new Map();
  const found = changes.map(({ path }) => [path, fileAt(top, path, folders)] as const);
  const otherNames = otherNamesAmong(top, found);
  return {
    files: new Map(found.map(([path, file]) => [path, otherNames.has(path) ? undefined : file])),
    otherNames,
  };
}

/** Whether a file is still the one that was seen. */
export function isAsSeen(top: string, path: string, { files }: SeenFiles): boolean {
  const [before, now] = [files.get(path), fileAt(top, path)];
  if (!before || !now) return before === now;
  const isSame = (['dev', 'ino', 'size', 'mtimeNs', 'mode'] as const).every(
    (key) => before[key] === now[key],
  );
  // It also moves when another name of the same file goes, of which a landing may change both.
  return isSame && (before.nlink > 1n || before.ctimeNs === now.ctimeNs);
}

/** Those of the changes whose files are already what they are to become: content, mode, and what links lead to. */
export async function alreadyMade(
  git: Git,
  { index, scratch }: WorkTree,
  changes: readonly TreeChange[],
  { files, otherNames }: SeenFiles,
): Promise<TreeChange[]> {
  const asToBe = join(scratch, 'as-to-be');
  await copyIndex(index, asToBe);
  await takeIn(git, asToBe, changes);
  const others = new Set(splitNul(await git.read(['diff-files', '--name-only', '-z'], { index: asToBe })));
  return changes.filter(({ newMode, path }) =>
    newMode === NO_FILE ? files.get(path) === undefined : !others.has(path) && !otherNames.has(path),
  );
}

/** Has an index say what these changes lead to, and know which of their files are so. */
export async function takeIn(git: Git, index: string, changes: readonly TreeChange[]): Promise<void> {
  if (changes.length > 0)
    await git.read(['update-index', '-z', '--index-info'], { index, input: toIndexInfo(changes) });
  const { code, how, stderr } = await git.run(['update-index', '-q', '--refresh'], { index });
  // 1: some of them need a merge.
  if (code > 1) throw uncommitted(withLastLines(how, stderr), 'See to it, and try it again');
}

/** Whether a path of a work tree is that of a folder: known for as long as nobody else had a turn. */
export type KnownFolders = Map<string, boolean>;

/** What stands at a path, which leads over folders only: what is behind a link is not in the work tree. */
export function lookWithin(
  top: string,
  path: string,
  folders: KnownFolders = new Map(),
): BigIntStats | undefined {
  return isFolderWithin(top, dirname(path), folders) ? lookAt(join(top, path), lstatSync) : undefined;
}

function isFolderWithin(top: string, path: string, known: KnownFolders): boolean {
  if (path === '.') return true;
  const is =
    known.get(path) ??
    (isFolderWithin(top, dirname(path), known) && lookAt(join(top, path), lstatSync)?.isDirectory() === true);
  known.set(path, is);
  return is;
}

function fileAt(top: string, path: string, folders?: KnownFolders): BigIntStats | undefined {
  const found = lookWithin(top, path, folders);
  return found?.isDirectory() ? undefined : found;
}

/** Of paths that lead to one file, those that are not what its folder calls it. Names of their own for one file all are. */
function otherNamesAmong(
  top: string,
  found: readonly (readonly [path: string, file: BigIntStats | undefined])[],
): Set<string> {
  const byFile = Map.groupBy(
    found.filter(([, file]) => file !== undefined),
    ([, file]) => `${file?.dev}:${file?.ino}`,
  );
  const names: KnownNames = new Map();
  const others = new Set<string>();
  for (const entries of byFile.values()) {
    if (entries.length === 1) continue;
    const paths = entries.map(([path]) => path);
    const listed = paths.filter((path) => isListed(top, path, names));
    const own = new Set(listed.length > 0 ? listed : paths.slice(0, 1));
    for (const path of paths) if (!own.has(path)) others.add(path);
  }
  return others;
}

/** The names in folders, by their paths. */
type KnownNames = Map<string, ReadonlySet<string>>;

/** Whether each name of a path stands in its folder, letter for letter. */
function isListed(top: string, path: string, known: KnownNames): boolean {
  let folder = top;
  return path.split('/').every((name) => {
    const names = known.get(folder) ?? new Set(ifThere(() => readdirSync(folder), []));
    known.set(folder, names);
    folder = join(folder, name);
    return names.has(name);
  });
}
