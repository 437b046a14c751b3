import type { Project } from '../workflow/project/project.ts';
import { knownRequest, type Answerer, type CloseOutcome } from '../workflow/requests/close-request.ts';
import { requireEditable } from '../workflow/requests/edited-call.ts';

/** What a call is to be in place of what it is: another command, its other arguments as they are; or other arguments. */
export type CallEdit =
  | { readonly command: string; readonly args?: undefined }
  | { readonly args: Readonly<Record<string, unknown>>; readonly command?: undefined };

/** Allows a call as a person has changed it. What judges it is loaded when one does. @internal */
export async function editCallOf(
  project: Project,
  id: string,
  edit: CallEdit,
  answer: Answerer & {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly response?: string | undefined;
  },
): Promise<CloseOutcome> {
  const request = await knownRequest(project, id);
  if (!request) return { accepted: false, request };
  const [{ editCall }, { withArguments, withCommand }] = await Promise.all([
    import('../gateway/edit/edit-call.ts'),
    import('../gateway/edit/edit-text.ts'),
  ]);
  const approval = requireEditable(request);
  const edited =
    edit.command === undefined
      ? withArguments(JSON.stringify(edit.args))
      : withCommand(approval, edit.command);
  return editCall(project, request, { ...answer, edited });
}
