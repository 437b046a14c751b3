import { CliffordError } from '../../errors.ts';
import { clip } from '../../lib/text/clip.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { compareFiles, type See } from './compare-files.ts';

/**
 * Whoever says yes to a call has seen what it would make of files: that has to be what it would make of them now.
 *
 * @param seen - What they saw of it, in short, as {@link compareFiles} said it. `undefined`: they were not shown it.
 * @throws {CliffordError} `FILES_CHANGED` when it would be something else; nothing is decided then.
 */
export async function requireAsSeen(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  seen: string | undefined,
  see: See,
): Promise<void> {
  if (seen === undefined || request.phase !== 'open') return;
  if (seen === (await compareFiles(project, request, see)).seen) return;
  const [path, ...others] = see.pathsOf(request.asked.approval?.args);
  const isOne = path !== undefined && others.length === 0;
  const what = isOne ? clip(escapeAgentLine(path), 200) : 'one of its files';
  throw new CliffordError(`Cannot allow ${request.id}: ${what} has changed since you saw the call`, {
    code: 'FILES_CHANGED',
    fix: 'Look at what the call would make of it now, then try again',
    recovery: 'retry',
  });
}
