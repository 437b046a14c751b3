import { setTimeout as pause } from 'node:timers/promises';
import { gitFailed } from './git-failed.ts';
import { splitNul, withLastLines, type Git } from './git.ts';
import { NO_FILE, toIndexInfo, type TreeChange } from './staged-tree.ts';

/** How often, and after how many ms, it is tried again while another command of git has the index. */
const TRIES = 50;
const TRY_AGAIN_MS = 100;

/**
 * Brings the user's index up to a commit that was made beside it: only the files of that commit, so that
 * whatever else is staged stays staged.
 *
 * @param onlyUntouched - Leaves files alone whose entry is no longer what it was before the commit.
 */
export async function followCommit(
  git: Git,
  changes: readonly TreeChange[],
  { onlyUntouched }: { onlyUntouched: boolean },
): Promise<void> {
  const due = onlyUntouched ? await stagedAs(git, changes, 'old') : changes;
  if (due.length === 0) return;
  await changeIndex(git, ['update-index', '-z', '--index-info'], toIndexInfo(due));
}

/** Changes the user's index with a command of git, once no other one has it. */
export async function changeIndex(git: Git, args: readonly string[], input?: string): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const { code, how, stderr } = await git.run(args, input === undefined ? {} : { input });
    if (code === 0) return;
    if (left === 0 || !stderr.includes('index.lock')) throw gitFailed(withLastLines(how, stderr));
    await pause(TRY_AGAIN_MS);
  }
}

/** Those of the changes whose entries in the index are what they were before, or what they become. */
export async function stagedAs(
  git: Git,
  changes: readonly TreeChange[],
  side: 'old' | 'new',
): Promise<TreeChange[]> {
  const staged = new Map(
    splitNul(await git.read(['ls-files', '--stage', '--full-name', '-z', '--', ':/'])).map((line) => {
      // A path may have tabs, too.
      const tab = line.indexOf('\t');
      return [line.slice(tab + 1), line.slice(0, tab).split(' ', 2).join(' ')];
    }),
  );
  return changes.filter((change) => {
    const [mode, id] = side === 'old' ? [change.oldMode, change.oldId] : [change.newMode, change.newId];
    return staged.get(change.path) === (mode === NO_FILE ? undefined : `${mode} ${id}`);
  });
}
