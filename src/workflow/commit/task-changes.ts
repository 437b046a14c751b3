import { listed } from '../../lib/text/listed.ts';
import type { WorkTreeSnapshot, WorkFiles } from './snapshot.ts';
import { uncommitted } from '../git/uncommitted.ts';

/**
 * The files that differ from the last commit and did not before the work began, or differ in another way. One
 * that is edited for a run is never among them.
 *
 * @param ours - Files that Clifford itself writes: they may have differed before, too.
 * @param isAlone - Whatever has changed there since is the task's: also of files that differed before.
 * @throws {CliffordError} {@link uncommitted} when they cannot be told from the user's own changes, or cannot
 *   be a part of this commit.
 */
export function taskChanges(
  before: WorkTreeSnapshot,
  now: WorkFiles,
  { ours, isAlone }: { readonly ours: ReadonlySet<string>; readonly isAlone: boolean },
): string[] {
  const conflicts = [...now].filter(([, { kind }]) => kind === 'conflict').map(([path]) => path);
  if (conflicts.length > 0)
    throw uncommitted(`${listed(conflicts)}: a conflict is not resolved`, 'Resolve it, and commit by hand');
  const known = new Map(before.files);
  const changed = [...now].filter(
    ([path, { digest, kind }]) => kind !== 'edited' && known.get(path) !== digest,
  );
  const unnameable = changed.map(([path]) => path).filter((path) => path.includes('\uFFFD'));
  if (unnameable.length > 0) throw uncommitted(`the name of ${listed(unnameable)} is not UTF-8`);
  const foreign = changed.filter(([, { kind }]) => kind !== 'file').map(([path]) => path);
  if (foreign.length > 0)
    throw uncommitted(
      `${listed(foreign)} changed, a repository of its own`,
      'Commit there first, then here, by hand',
    );
  const mixed = changed.map(([path]) => path).filter((path) => known.has(path) && !ours.has(path));
  if (!isAlone && mixed.length > 0)
    throw uncommitted(
      `${listed(mixed)} had changes already before the task began, and the task changed it again`,
    );
  return changed.map(([path]) => path);
}
