import { CliffordError } from '../../errors.ts';
import { sha256 } from '../../lib/digest.ts';
import { clip } from '../../lib/text/clip.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles, filesNow, type FilesNow } from './files-now.ts';

/** How a face looks at what a call would make of files. */
type See = {
  /** The files that a call with these arguments would change. */
  readonly pathsOf: (args: unknown) => readonly string[];
  /** What is to be seen of that, as a text; `undefined`: nothing. */
  readonly seenOf: (args: unknown, files: FilesNow) => string | undefined;
};

/** What somebody gives back who has looked, and to whom nothing was shown: there was nothing to be seen. */
export const NOTHING_SEEN = '';

/** What was seen, as a short text that whoever has seen it gives back. */
export function seenDigest(seen: string | undefined): string | undefined {
  return seen === undefined ? undefined : sha256(seen);
}

/**
 * Whoever says yes to a call has seen what it would make of files: that has to be what it would make of them now.
 *
 * @param seen - The {@link seenDigest} of what they saw, or {@link NOTHING_SEEN}. `undefined`: they were not shown it.
 * @throws {CliffordError} `FILES_CHANGED` when it would be something else; nothing is decided then.
 */
export async function requireAsSeen(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  seen: string | undefined,
  { pathsOf, seenOf }: See,
): Promise<void> {
  if (seen === undefined || request.phase !== 'open') return;
  const { args } = request.asked.approval ?? {};
  const paths = pathsOf(args);
  const now = seenDigest(seenOf(args, await filesNow(project, callOfFiles(request), paths)));
  if (seen === (now ?? NOTHING_SEEN)) return;
  const [path = '', ...others] = paths;
  const what = others.length === 0 ? clip(escapeAgentLine(path), 200) : 'one of its files';
  throw new CliffordError(`Cannot allow ${request.id}: ${what} has changed since you saw the call`, {
    code: 'FILES_CHANGED',
    fix: 'Look at what the call would make of it now, then try again',
    recovery: 'retry',
  });
}
