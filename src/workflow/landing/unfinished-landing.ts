import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf } from '../../lib/system-error.ts';
import { isTurnFree, undoLeftTurn } from './git-turn.ts';
import { tryGitAgain } from '../git/try-git-again.ts';
import type { Project } from '../project/project.ts';
import { notTakenBack } from './undo-landing.ts';

/** Longest time that it may take, in ms: a checkout of a large repository takes its time, and a human may wait for this. */
const LIMIT_MS = 5 * 60_000;

/**
 * Takes back what a landing has left in the project's files that nobody will end: whose runner was killed, or whose task is
 * given up. One that is under way is left to whoever has it.
 *
 * @returns why that could not be, in one line; it is tried again by whoever commits, lands or begins a run next.
 */
export async function undoHalfLanding(
  { root, dir }: Pick<Project, 'root' | 'dir'>,
  { limitMs = LIMIT_MS } = {},
): Promise<string | undefined> {
  if (!isTurnFree(dir)) return undefined;
  const signal = AbortSignal.timeout(limitMs);
  try {
    await tryGitAgain(() => undoLeftTurn({ cwd: root, env: {}, signal }, dir), signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) return notTakenBack(`it took longer than ${limitMs / 1_000} s`);
    if (error instanceof CliffordError)
      return error.code === 'UNCOMMITTED' ? error.inOneLine : notTakenBack(error.inOneLine);
    if (codeOf(error) === undefined) throw error;
    return notTakenBack(messageOf(error));
  }
}
