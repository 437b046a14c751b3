import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import { requireEditable } from '../../workflow/requests/edited-call.ts';
import type { Cli } from '../cli.ts';

/** Allows calls as a person has changed them on a screen. What judges them is loaded when one does. */
export function editOnScreen({ env }: Pick<Cli, 'env'>, project: Project) {
  return async (request: RequestState, text: string, answerer: Answerer): Promise<CloseOutcome> => {
    const [{ editCall }, { editedBy, editText }, { seeChanges }] = await Promise.all([
      import('../../gateway/edit/edit-call.ts'),
      import('../../gateway/edit/edit-text.ts'),
      import('../../views/calls/seen-changes.ts'),
    ]);
    const approval = requireEditable(request);
    const edited = editedBy(approval, editText(approval).is, text);
    return editCall(project, request, { ...answerer, edited, env, see: seeChanges });
  };
}
