import { CliffordError } from '../../errors.ts';
import { clip } from '../../lib/text/clip.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles, filePlaces } from './call-places.ts';
import type { See } from './compare-files.ts';
import { filesNow } from './files-now.ts';

/**
 * A human who changes a call was shown the files of the one that waits. What it would write beside those has to be new: of what
 * stands in another file they have seen nothing.
 *
 * @param args - What they have made of its arguments.
 * @throws {CliffordError} `EDIT_UNSEEN`; nothing is decided then.
 */
export async function requireEditSeen(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  args: Readonly<Record<string, unknown>>,
  { pathsOf, seenOf }: See,
): Promise<void> {
  if (request.phase !== 'open') return;
  const call = callOfFiles(request);
  const [before, now] = [pathsOf(request.asked.approval?.args), pathsOf(args)];
  const places = await filePlaces(project, call, [...before, ...now]);
  const shown = new Set(before.map((path) => places.get(path)));
  const others = now.filter((path) => !shown.has(places.get(path)));
  const files = await filesNow(project, call, others);
  const [unseen] = [...files].flatMap(([path, { is }]) => (is === 'none' ? [] : path));
  if (unseen === undefined || seenOf(args, files) === undefined) return;
  throw new CliffordError(
    `Cannot edit ${request.id}: ${clip(escapeAgentLine(unseen), 200)} is another file, and what stands there was not shown`,
    {
      code: 'EDIT_UNSEEN',
      fix: `Deny the call and say which file you mean: its next call is shown with it; or allow it unseen: clifford approve ${request.id} --args '{ … }'`,
    },
  );
}
