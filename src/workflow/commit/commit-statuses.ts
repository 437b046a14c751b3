import { CliffordError } from '../../errors.ts';
import { Git, withLastLines, type GitPlace } from '../git/git.ts';
import { readRepository, refuseUnfit } from '../git/repository.ts';
import { uncommitted, uncommittedReason } from '../git/uncommitted.ts';
import { inGitTurn } from '../landing/git-turn.ts';
import type { Project } from '../project/project.ts';
import { manifestPath, type SprintFolder } from '../sprint/sprint-folders.ts';
import { COMMIT_LIMIT_MS, COMMIT_SETTINGS } from './commit-task.ts';
import { differsInStatuses } from './sprint-records.ts';

/**
 * Commits the statuses in the manifest of a sprint, where git knows it: those of its end are written after the commits of its tasks.
 *
 * @param how - How it ended, for the message.
 * @returns why there is no commit, if there had to be one.
 */
export async function commitStatuses(
  project: Pick<Project, 'root' | 'dir'>,
  { folder, how, ...place }: Omit<GitPlace, 'cwd'> & { readonly folder: SprintFolder; readonly how: string },
): Promise<string | undefined> {
  const { root } = project;
  const git = new Git({ ...place, cwd: root });
  const problems: string[] = [];
  const commit = async () => {
    const repository = await readRepository(git, root);
    const manifest = manifestPath(root, folder.dir);
    const compared = { git, root, prefix: repository.prefix, commit: repository.head };
    if (!(await differsInStatuses(compared, manifest))) return;
    if ((await git.run(['diff', '--quiet', 'HEAD', '--', manifest])).code === 0) return;
    await refuseUnfit(git, repository);
    const { id } = folder.manifest;
    const message = `Sprint ${id}: ${how}\n\nClifford-Sprint: ${id}\n`;
    const settings = COMMIT_SETTINGS.flatMap((setting) => ['-c', setting]);
    const made = await git.run(
      [...settings, 'commit', '--quiet', '--cleanup=whitespace', '--only', '-m', message, '--', manifest],
      { limitMs: COMMIT_LIMIT_MS, hasHooks: true },
    );
    if (made.code !== 0)
      throw uncommitted(withLastLines(made.how, `${made.stdout.toString('utf8')}${made.stderr}`));
  };
  try {
    await inGitTurn({ ...place, cwd: root }, project.dir, commit, (problem) => void problems.push(problem));
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    problems.unshift(uncommittedReason(error));
  }
  return problems.length === 0 ? undefined : problems.join('; ');
}
