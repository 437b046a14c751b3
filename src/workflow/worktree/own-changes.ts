import { join } from 'node:path/posix';
import {
  readWorkTree,
  type CurrentEdits,
  type WorkFiles,
  type WorkTreeSnapshot,
} from '../commit/snapshot.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import { STATE_DIR } from '../project/project-root.ts';

/** Where a worktree is, and how its files were when the work in it began. */
export type ChangesPlace = {
  /** Its top, where git is run. Absolute. */
  readonly folder: string;
  /** Where the project is in it, with `/` at its end; `''`: that is its top. */
  readonly prefix: string;
  readonly before: WorkTreeSnapshot | undefined;
  readonly currentEdits: CurrentEdits;
  readonly signal: AbortSignal;
};

/** The files of a worktree that are not as in the commit that is checked out, by path from its top. */
export type WorktreeChanges = {
  readonly repository: Repository;
  /** Those that somebody has changed since the work began. */
  readonly own: WorkFiles;
  /** Those that are as they were then: copied, or made by the setup. */
  readonly prepared: WorkFiles;
};

/** Looks at the whole repository in a worktree. Ignored files do not count, nor what is changed for the run of an agent. */
export async function ownChanges(
  git: Git,
  { folder, prefix, before, currentEdits, signal }: ChangesPlace,
): Promise<WorktreeChanges> {
  const fromTop = (path: string) => join(prefix, path);
  const edits = new Map([...currentEdits()].map(([path, digest]) => [fromTop(path), digest]));
  const place = { root: folder, signal, currentEdits: () => edits };
  const { repository, files } = await readWorkTree(git, place);
  const known = new Map(before?.files.map(([path, digest]) => [fromTop(path), digest]));
  const state = fromTop(STATE_DIR);
  const all = [...files].filter(
    ([path, { kind }]) => kind !== 'edited' && path !== `${state}/` && !path.startsWith(`${state}/`),
  );
  const isPrepared = ([path, { digest, kind }]: (typeof all)[number]) =>
    kind !== 'conflict' && known.get(path) === digest;
  return {
    repository,
    own: new Map(all.filter((file) => !isPrepared(file))),
    prepared: new Map(all.filter(isPrepared)),
  };
}
