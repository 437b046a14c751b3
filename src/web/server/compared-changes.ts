import type { RequestState } from '../../machines/project-state.ts';
import { callChanges, changedPaths, type CallChange } from '../../views/call-changes.ts';
import { changesSeen } from '../../views/seen-changes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { callOfFiles, filesNow } from '../../workflow/requests/files-now.ts';
import { seenDigest } from '../../workflow/requests/require-as-seen.ts';

/** What a call would make of files, and that in short: a yes is one to it. */
export type ComparedChanges = {
  readonly changes: readonly CallChange[];
  readonly seen: string | undefined;
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
  const call = callOfFiles(request);
  const files = await filesNow(project, call, changedPaths(args), { isWhole: whole !== undefined });
  const changes = callChanges(args, files);
  return { changes, seen: await seenDigest(project, call, { files, seen: changesSeen(changes) }) };
}
