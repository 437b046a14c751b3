import { join } from 'node:path';
import { MISSING } from '../../lib/files/file-digest.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { listed } from '../../lib/text/listed.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import { diffOfIndex, NO_FILE, stageFiles, toIndexInfo, type TreeChange } from '../git/staged-tree.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { WorkFiles } from './snapshot.ts';

/** A commit that nothing but its own reference has. */
export type KeptCommit = { readonly ref: string; readonly sha: string };

/** What kept commits are called. */
export type KeptRefs = {
  /** What the references begin with: a number follows. */
  readonly prefix: string;
  /** Those that the log names: none of them is given again, also where somebody has removed it since. */
  readonly named: readonly string[];
};

/** What is kept of a work tree. */
export type KeepOrder = {
  /** Of the folder that git is run in, its top. */
  readonly repository: Repository;
  /** Those that are about to be overwritten or removed. */
  readonly files: WorkFiles;
  /** Commits besides the one that is checked out: what one of them has is not lost. */
  readonly known: readonly string[];
  readonly refs: KeptRefs;
  /** The project's `.clifford`, and a folder in it that nobody else uses. Absolute. */
  readonly stateDir: string;
  readonly scratch: string;
};

/** The variables that {@link keepFiles} has git run with: git may not know whose commit it would be. */
export const KEEPING_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Clifford'],
    [`GIT_${who}_EMAIL`, 'clifford@localhost'],
  ]),
);

/**
 * Makes commits of changed files as they are, and of what is staged of them besides, behind the commit that is checked out. Files,
 * index and branches stay as they are. What one of the known commits has is left out.
 *
 * @param git - Run in the top folder of the work tree, with {@link KEEPING_ENV}.
 * @returns each commit with the paths in it, from the top; none where nothing would be lost.
 * @throws {CliffordError} `UNCOMMITTED`: why it cannot be kept.
 */
export async function keepFiles(
  git: Git,
  order: KeepOrder,
): Promise<
  { readonly what: 'files' | 'staged'; readonly paths: readonly string[]; readonly kept: KeptCommit }[]
> {
  const { repository, files, known, stateDir, scratch: dir } = order;
  const head = requireKeepable(repository, files);
  if (head === undefined) return [];
  removeOwn(dir, stateDir);
  makeOwnFolders(dir, stateDir);
  try {
    const paths = [...files.keys()];
    const gone = new Set(paths.filter((path) => files.get(path)?.digest === MISSING));
    const index = await stageFiles(git, { repository, dir, paths, gone });
    const commits = [head, ...known];
    const now = await diffOfIndex(git, head, index);
    const inFiles = await unknownTo(git, now, { commits, index });
    const staged = await unknownTo(git, await stagedBeside(git, { head, files, now }), { commits });
    const changes = [
      { what: 'files', changes: inFiles },
      { what: 'staged', changes: staged },
    ] as const;
    const made = [];
    for (const each of changes)
      if (each.changes.length > 0)
        made.push({
          what: each.what,
          paths: each.changes.map(({ path }) => path),
          kept: await keepChanges(git, { ...order, head, index, changes: each.changes }),
        });
    return made;
  } finally {
    removeOwn(dir, stateDir);
  }
}

/**
 * Makes sure that changed files can be kept.
 *
 * @returns the commit behind which they are; `undefined`: there is nothing to keep.
 * @throws {CliffordError} `UNCOMMITTED`: why they cannot be kept.
 */
export function requireKeepable({ head }: Pick<Repository, 'head'>, files: WorkFiles): string | undefined {
  const foreign = [...files].filter(([, { kind }]) => kind === 'repository' || kind === 'submodule');
  if (foreign.length > 0)
    throw uncommitted(
      `${listed(foreign.map(([path]) => path))} would be lost, a repository of its own`,
      'Move it away, or commit and push it',
    );
  if (files.size === 0) return undefined;
  if (head === undefined)
    throw uncommitted(
      `${listed([...files.keys()])} would be lost, and no commit is checked out behind which it could be kept`,
      'Check out the branch of the task there, or move the files away',
    );
  return head;
}

/** Those of the changes of an index that are in none of these commits. */
async function unknownTo(
  git: Git,
  changes: readonly TreeChange[],
  { commits, index }: { readonly commits: readonly string[]; readonly index?: string },
): Promise<readonly TreeChange[]> {
  let left = changes;
  for (const commit of commits) {
    if (left.length === 0) return left;
    const others = new Set((await diffOfIndex(git, commit, index)).map(({ path }) => path));
    left = left.filter(({ path }) => others.has(path));
  }
  return left;
}

/** What is staged of these files and is not what they are now. */
async function stagedBeside(
  git: Git,
  {
    head,
    files,
    now,
  }: { readonly head: string; readonly files: WorkFiles; readonly now: readonly TreeChange[] },
): Promise<TreeChange[]> {
  const ids = new Map(now.map(({ path, newId }) => [path, newId]));
  // Where a merge is under way, nothing is staged of what is in conflict.
  const isStaged = ({ path, newId, newMode }: TreeChange) =>
    files.has(path) && newMode !== NO_FILE && !/^0+$/.test(newId) && ids.get(path) !== newId;
  return (await diffOfIndex(git, head)).filter(isStaged);
}

/** Makes a commit of a commit with these changes. One that is there already, since it was begun before, is not made again. */
async function keepChanges(
  git: Git,
  {
    refs,
    head,
    index,
    changes,
  }: Pick<KeepOrder, 'refs'> & {
    readonly head: string;
    readonly index: string;
    readonly changes: readonly TreeChange[];
  },
): Promise<KeptCommit> {
  await git.read(['read-tree', '--reset', head], { index });
  await git.read(['update-index', '-z', '--index-info'], { index, input: toIndexInfo(changes) });
  const tree = (await git.read(['write-tree'], { index })).trim();
  const same = (await keptIn(git, refs.prefix)).find((each) => each.tree === tree && each.parent === head);
  if (same) return same;
  const message = `Kept by Clifford: ${listed(changes.map(({ path }) => path))}`;
  const sha = (await git.read(['commit-tree', tree, '-p', head, '-m', message])).trim();
  return keepCommit(git, { refs, sha });
}

/** Has a reference of its own name a commit. One that does so already stays the only one. */
export async function keepCommit(
  git: Git,
  { refs, sha }: { readonly refs: KeptRefs; readonly sha: string },
): Promise<KeptCommit> {
  const { prefix, named } = refs;
  const all = await keptIn(git, prefix);
  const same = all.find((each) => each.sha === sha);
  if (same) return same;
  const taken = [...named, ...all.map(({ ref }) => ref)];
  const last = Math.max(0, ...taken.map((ref) => Number(ref.slice(prefix.length + 1)) || 0));
  const ref = join(prefix, String(last + 1));
  await git.read(['update-ref', ref, sha, '0'.repeat(sha.length)]);
  return { ref, sha };
}

type KeptEntry = KeptCommit & { readonly tree: string; readonly parent: string };

async function keptIn(git: Git, prefix: string): Promise<KeptEntry[]> {
  const format = '--format=%(refname) %(objectname) %(tree) %(parent)';
  const lines = (await git.read(['for-each-ref', format, `${prefix}/`])).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [ref = '', sha = '', tree = '', parent = ''] = line.split(' ');
    return { ref, sha, tree, parent };
  });
}
