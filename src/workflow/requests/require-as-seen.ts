import { CliffordError } from '../../errors.ts';
import { sha256 } from '../../lib/digest.ts';
import { clip } from '../../lib/text/clip.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles, filesMarks, filesNow, type CallOfFiles, type FilesNow } from './files-now.ts';

/** How a face looks at what a call would make of files. */
type See = {
  /** The files that a call with these arguments would change. */
  readonly pathsOf: (args: unknown) => readonly string[];
  /** What is to be seen of that, as a text; `undefined`: nothing. */
  readonly seenOf: (args: unknown, files: FilesNow) => string | undefined;
};

/**
 * What was seen of a call and its files, as a short text that whoever has seen it gives back. `undefined`: it names no file that is
 * looked at. There is one, too, of a call that would change nothing as its files are: that may become something.
 *
 * @param seen - What it would make of them, as a text.
 */
export async function seenDigest(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  { files, seen }: { readonly files: FilesNow; readonly seen: string | undefined },
): Promise<string | undefined> {
  if (files.size === 0) return undefined;
  return sha256(JSON.stringify([seen ?? '', ...(await filesMarks(project, call, files))]));
}

/**
 * Whoever says yes to a call has seen what it would make of files: that has to be what it would make of them now.
 *
 * @param seen - The {@link seenDigest} of what they saw. `undefined`: they were not shown it.
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
  const call = callOfFiles(request);
  const files = await filesNow(project, call, paths);
  if (seen === (await seenDigest(project, call, { files, seen: seenOf(args, files) }))) return;
  const [path = '', ...others] = paths;
  const what = others.length === 0 ? clip(escapeAgentLine(path), 200) : 'one of its files';
  throw new CliffordError(`Cannot allow ${request.id}: ${what} has changed since you saw the call`, {
    code: 'FILES_CHANGED',
    fix: 'Look at what the call would make of it now, then try again',
    recovery: 'retry',
  });
}
