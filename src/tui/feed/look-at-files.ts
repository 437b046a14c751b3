import { filesInCall } from '../../events/call-files/files-in-call.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { callChanges, changedPaths, mayFold } from '../../views/calls/call-changes.ts';
import { seeChanges } from '../../views/calls/seen-changes.ts';
import { hasFolds } from '../../views/changes/folded-lines.ts';
import type { Project } from '../../workflow/project/project.ts';
import { compareFiles, namesFiles } from '../../workflow/requests/compare-files.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';

/** What stands in the files that calls would change, by the ids of their requests. */
export type LookedAtFiles = {
  readonly files: ReadonlyMap<string, FilesNow>;
  /**
   * The calls of which unchanged lines may be left out. An agent says which lines a file has already: what it would add could
   * be among them. So all that is said to stand there has to be there.
   */
  readonly foldable: ReadonlySet<string>;
  /** What is to be seen of what they would make of files, in short: of each that was looked at; `undefined`: nothing that is compared. */
  readonly seen: ReadonlyMap<string, string | undefined>;
};

/**
 * Looks at the files that calls would change.
 *
 * @param whole - The arguments of the only one as they will run: secrets stay in the files, too. What was seen is not said anew
 *   then. Default: as the log has them.
 */
export async function lookAtFiles(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  calls: readonly RequestState[],
  whole?: { readonly args: unknown },
): Promise<LookedAtFiles> {
  const files = new Map<string, FilesNow>();
  const foldable = new Set<string>();
  const seen = new Map<string, string | undefined>();
  for (const call of calls) {
    const { approval } = call.asked;
    const { args } = whole ?? approval ?? {};
    const inCall = filesInCall(args);
    if (changedPaths(inCall).length === 0 && !namesFiles(approval, seeChanges)) continue;
    const compared = await compareFiles(project, call, seeChanges, { whole });
    const changes = callChanges(inCall, compared.files);
    files.set(call.id, compared.files);
    if (!whole) seen.set(call.id, compared.seen);
    if (mayFold(changes) && changes.some(({ lines }) => hasFolds(lines))) foldable.add(call.id);
  }
  return { files, foldable, seen };
}
