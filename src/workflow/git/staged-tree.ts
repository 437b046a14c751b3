import { copyFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../lib/system-error.ts';
import { splitNul, type Git } from './git.ts';
import type { Repository } from './repository.ts';

/** One file of a difference between two trees, as `git diff-tree --raw` says it. */
export type TreeChange = {
  /** From the top of the repository. */
  readonly path: string;
  /** `000000`: there was no such file. */
  readonly oldMode: string;
  readonly oldId: string;
  /** `000000`: it is gone. */
  readonly newMode: string;
  readonly newId: string;
};

/** The mode of a file that is not there. */
export const NO_FILE = '000000';

/**
 * Makes an index of its own that holds the last commit and these files as they are now. The user's index,
 * with what is staged there, is only read.
 *
 * @param dir - A folder that nobody else uses, empty. Absolute.
 * @param paths - From the project's root.
 * @param gone - Those of them that are not there any more.
 * @returns the path of the index.
 */
export async function stageFiles(
  git: Git,
  {
    repository,
    dir,
    paths,
    gone,
  }: { repository: Repository; dir: string; paths: readonly string[]; gone: ReadonlySet<string> },
): Promise<string> {
  const index = join(dir, 'index');
  if (repository.head === undefined) {
    await git.read(['read-tree', '--empty'], { index });
  } else {
    // A copy knows which files are unchanged: without it git would read each of them anew.
    await copyIndex(repository.index, index);
    await git.read(['read-tree', '--reset', repository.head], { index });
  }
  const update = async (how: readonly string[], some: readonly string[]) => {
    const input = some.map((path) => `${path}\0`).join('');
    if (some.length > 0) await git.read(['update-index', ...how, '-z', '--stdin'], { index, input });
  };
  // By their names: git does not look for a file in a folder that is a link now.
  await update(
    ['--force-remove'],
    paths.filter((path) => gone.has(path)),
  );
  await update(
    ['--add', '--remove', '--replace'],
    paths.filter((path) => !gone.has(path)),
  );
  return index;
}

/** What makes git list changes as {@link readRaw} takes them. */
const RAW = ['--raw', '-z', '--no-renames', '--no-abbrev'];

/** What a commit of this index would change. */
export async function stagedChanges(
  git: Git,
  { repository, index }: { repository: Repository; index: string },
): Promise<TreeChange[]> {
  return diffOfIndex(git, repository.head ?? (await emptyTree(git)), index);
}

/** What an index has that a commit has not. Default: that of the folder that git is run in. */
export async function diffOfIndex(git: Git, commit: string, index?: string): Promise<TreeChange[]> {
  return readRaw(
    await git.read(['diff-index', '--cached', ...RAW, commit], index === undefined ? {} : { index }),
  );
}

/** What is different from one commit to another. */
export async function changesFrom(git: Git, one: string, other: string): Promise<TreeChange[]> {
  return readRaw(await git.read(['diff-tree', '-r', ...RAW, one, other]));
}

/** What a commit changed. */
export async function committedChanges(git: Git, sha: string): Promise<TreeChange[]> {
  return readRaw(await git.read(['diff-tree', '-r', '--root', '--no-commit-id', ...RAW, sha]));
}

/** The id of a tree without files. Git knows it without having it. */
export function emptyTree(git: Git): Promise<string> {
  return git.read(['hash-object', '-t', 'tree', '--stdin'], { input: '' }).then((id) => id.trim());
}

/** Pairs of `:<old mode> <new mode> <old id> <new id> <status>` and path. */
function readRaw(output: string): TreeChange[] {
  const parts = splitNul(output);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, pair) => {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (parts[2 * pair] ?? '').slice(1).split(' ');
    return { path: parts[2 * pair + 1] ?? '', oldMode, newMode, oldId, newId };
  });
}

/**
 * Copies an index. Git compares its time with those of files: one that was changed in the second in which the index was
 * written is looked at anew. A copy that was younger would hide that.
 *
 * @param to - Nothing is there where there is none to copy.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const writtenS = Math.floor((await stat(from)).mtimeMs / 1_000);
    await copyFile(from, to);
    await utimes(to, writtenS, writtenS);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** What `git update-index -z --index-info` takes: the entries that these changes lead to. */
export function toIndexInfo(changes: readonly TreeChange[]): string {
  return changes
    .map(({ newMode, newId, path }) => `${newMode === NO_FILE ? '0' : newMode} ${newId}\t${path}\0`)
    .join('');
}
