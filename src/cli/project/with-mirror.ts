import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { chooseLog } from '../../workflow/log/choose-log.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';

/** Keeps the mirror of a project's log while `work` goes on, where that is on a server and a mirror is wanted. */
export async function withMirror<T>(
  cli: Pick<Cli, 'env' | 'note'>,
  { root, dir, mirror }: Pick<Project, 'root' | 'dir' | 'mirror'>,
  { isOnScreen }: { readonly isOnScreen: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const served = mirror ? undefined : await chooseLog({ root, env: cli.env });
  if (!served?.isMirrored) return work();
  const { keepMirror } = await import('../../workflow/log/keep-mirror.ts');
  const problems: string[] = [];
  const report = (problem: unknown) => {
    const text = problem instanceof CliffordError ? problem.inOneLine : messageOf(problem);
    if (isOnScreen) problems.push(text);
    else cli.note(text);
  };
  const kept = keepMirror({ dir, served, report });
  try {
    return await work();
  } finally {
    await kept.stop();
    problems.forEach(cli.note);
  }
}
