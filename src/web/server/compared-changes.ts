import type { RequestState } from '../../machines/project-state.ts';
import { callChanges, changedPaths, type CallChange } from '../../views/call-changes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { callOfFiles, filesNow } from '../../workflow/requests/files-now.ts';

/**
 * What a call would make of files, compared with what stands there now, where it is one of an agent's own tool.
 *
 * @param whole - Its arguments as they will run: secrets stay in the files, too. Default: as the log has them.
 */
export async function comparedChanges(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  whole?: { readonly args: unknown },
): Promise<readonly CallChange[]> {
  const { args } = whole ?? request.asked.approval ?? {};
  const files = await filesNow(project, callOfFiles(request), changedPaths(args), {
    isWhole: whole !== undefined,
  });
  return callChanges(args, files);
}
