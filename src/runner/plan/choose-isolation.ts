import { relative, sep } from 'node:path';
import { pathFrom } from '../../lib/files/path-from.ts';
import { CliffordError } from '../../errors.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { count } from '../../lib/text/count.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import type { ParallelSettings } from '../../workflow/config/parallel-settings.ts';
import { settingsError } from '../../workflow/config/task-settings.ts';
import { Git } from '../../workflow/git/git.ts';
import { hasBranch, readRepository } from '../../workflow/git/repository.ts';
import { listed } from '../../lib/text/listed.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { headForWork, worktreesFolder } from '../../workflow/worktree/head-for-work.ts';
import { worktreeBranch } from '../../workflow/worktree/worktree-names.ts';
import type { RunPolicy } from '../reconcile/runner-view.ts';

/** What is known before a run that works on several tasks at once. */
type ParallelOrder = {
  readonly root: string;
  readonly folder: SprintFolder;
  readonly settings: ParallelSettings;
  readonly worktrees: Config['worktrees'];
  /** What an agent leaves is checked, or becomes a commit. */
  readonly areFilesJudged: boolean;
  readonly report: (problem: string) => void;
};

/**
 * How the tasks of a run are kept apart that are under way at once: in git worktrees; where there is no git, by the
 * paths that they declare.
 *
 * @throws {CliffordError} `PARALLEL_UNUSABLE`, `TASK_SETTINGS_INVALID`: why they cannot be.
 */
export async function chooseIsolation(
  order: ParallelOrder,
): Promise<Pick<RunPolicy, 'concurrency' | 'isolation' | 'paths'>> {
  const { root, folder, settings, worktrees, areFilesJudged, report } = order;
  if (settings.problems.length > 0) throw settingsError(settings.problems);
  const { paths } = settings;
  const concurrency = settings.parallel.value;
  if (concurrency === 1) return { concurrency, isolation: 'none', paths };
  const git = new Git({ cwd: root, env: {}, signal: new AbortController().signal });
  let head: Awaited<ReturnType<typeof headForWork>>;
  try {
    head = await headForWork(git, root);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    if (!error.message.includes('in no git repository')) throw unusable(error);
    if (areFilesJudged)
      report(
        'there is no git repository: tasks whose work is verified or committed run one after the other, ' +
          'since each would be tried with what the others have half done',
      );
    return { concurrency: areFilesJudged ? 1 : concurrency, isolation: 'paths', paths };
  }
  const dir = worktreesFolder(root, worktrees.dir, head);
  const from = relative(root, dir);
  if (from === '' || !(from === '..' || from.startsWith(`..${sep}`)))
    throw new CliffordError(
      `Cannot make worktrees in ${dir}: it is in the project, whose tools would find them`,
      {
        code: 'PARALLEL_UNUSABLE',
        fix: 'Name a folder outside of the project as worktrees.dir in clifford.json',
      },
    );
  await refuseBranchInTheWay(git, folder.manifest.id);
  await tellUncommitted(git, order);
  return { concurrency, isolation: 'worktrees', paths };
}

/** A branch is as a file: where there is one, there can be none below it. */
async function refuseBranchInTheWay(git: Git, stream: string): Promise<void> {
  const names = worktreeBranch(stream, 'task').split('/').slice(0, -1);
  for (const [at] of names.entries()) {
    const branch = names.slice(0, at + 1).join('/');
    if (await hasBranch(git, branch))
      throw unusable({
        message: `the branches of its tasks are called ${names.join('/')}/…, and there is a branch ${branch}`,
        fix: `Rename that, e.g. with: git branch -m ${shellWord(branch)} ${shellWord(`${branch}-old`)}`,
      });
  }
}

/** Worktrees begin with the last commit: what only the project's own files have is not in them. */
async function tellUncommitted(git: Git, { root, folder, report }: ParallelOrder): Promise<void> {
  const { files } = await readRepository(git, root);
  const sprint = pathFrom(root, folder.dir);
  const others = files
    .map(({ path }) => path)
    .filter((path) => !path.startsWith(`${sprint}/`) && !path.startsWith('.clifford/'));
  if (others.length === 0) return;
  report(
    `${count(others.length, 'file')} of the project ${others.length === 1 ? 'has' : 'have'} changes that no commit has (${listed(others)}): ` +
      'tasks in worktrees begin without them',
  );
}

function unusable({ message, fix }: Pick<CliffordError, 'message' | 'fix'>): CliffordError {
  return new CliffordError(`Cannot work on several tasks at once: ${message}`, {
    code: 'PARALLEL_UNUSABLE',
    fix: `${fix}, or run with --parallel 1`,
  });
}
