import { filesInCall } from '../../events/call-files/files-in-call.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { callChanges, type CallChange } from '../../views/calls/call-changes.ts';
import { seeChanges } from '../../views/calls/seen-changes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { compareFiles, type ComparedFiles } from '../../workflow/requests/compare-files.ts';

/** What a call would make of files, and that in short: a yes is one to it. */
export type ComparedChanges = Pick<ComparedFiles, 'seen' | 'failed'> & {
  readonly changes: readonly CallChange[];
};

/**
 * What a call would make of files, compared with what stands there now, where it is one of an agent's own tool.
 *
 * @param whole - Its arguments as they will run: secrets stay in the files, too. Default: as the log has them.
 */
export async function comparedChanges(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  whole?: { readonly args: unknown },
): Promise<ComparedChanges> {
  const { args } = whole ?? request.asked.approval ?? {};
  const { files, ...about } = await compareFiles(project, request, seeChanges, { whole });
  return { changes: callChanges(filesInCall(args), files), ...about };
}
