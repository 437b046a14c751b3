import { isTurnFree, undoLeftTurn } from '../commit/git-turn.ts';
import { tryGitAgain } from '../commit/try-git-again.ts';
import { uncommittedReason } from '../commit/uncommitted.ts';
import type { Project } from '../project/project.ts';

/**
 * Takes back what a landing has left in the project's files that nobody will end: whose runner was killed, or whose task is
 * given up. One that is under way is left to whoever has it.
 *
 * @returns why that could not be; it is tried again by whoever commits, lands or begins a run next.
 * @throws the signal's reason when it aborts.
 */
export async function undoHalfLanding(
  { root, dir }: Pick<Project, 'root' | 'dir'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isTurnFree(dir)) return undefined;
  try {
    await tryGitAgain(() => undoLeftTurn({ cwd: root, env: {}, signal }, dir), signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return uncommittedReason(error);
  }
}
