import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf } from '../../lib/system-error.ts';
import { inGitTurn, isTurnFree } from './git-turn.ts';
import { readLandingMark } from './landing-mark.ts';
import type { GitPlace } from '../git/git.ts';
import { tryGitAgain } from '../git/try-git-again.ts';
import type { Project } from '../project/project.ts';
import { notUndone } from './undo-landing.ts';

/** Longest time that it may take, in ms: a checkout of a large repository takes its time, and a human may wait for this. */
const LIMIT_MS = 5 * 60_000;

/**
 * Undoes an unfinished landing before somebody works in the project's files. It is waited for one that is at work.
 *
 * @throws as {@link inGitTurn}.
 */
export async function undoUnfinishedLanding(place: GitPlace, stateDir: string): Promise<void> {
  if (readLandingMark(stateDir) === undefined) return;
  // What fails behind it the next turn comes upon, too.
  await inGitTurn(
    place,
    stateDir,
    () => Promise.resolve(),
    () => undefined,
  );
}

/**
 * Undoes an unfinished landing that nobody will go on with: whose runner was killed, or whose task is given up. One that is under
 * way is left to whoever has it.
 *
 * @returns why that could not be, in one line; it is tried again by whoever commits, lands or begins a run next.
 */
export async function tryUndoUnfinishedLanding(
  { root, dir }: Pick<Project, 'root' | 'dir'>,
  { limitMs = LIMIT_MS } = {},
): Promise<string | undefined> {
  if (!isTurnFree(dir)) return undefined;
  const signal = AbortSignal.timeout(limitMs);
  try {
    await tryGitAgain(() => undoUnfinishedLanding({ cwd: root, env: {}, signal }, dir), signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) return notUndone(`it took longer than ${limitMs / 1_000} s`);
    if (error instanceof CliffordError)
      return error.code === 'UNCOMMITTED' ? error.inOneLine : notUndone(error.inOneLine);
    if (codeOf(error) === undefined) throw error;
    return notUndone(messageOf(error));
  }
}
