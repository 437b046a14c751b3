import { describeRequest } from './describe-sprint.ts';
import type { RequestView } from './describe-sprint.ts';
import type { RequestState } from '../machines/project-state.ts';
import { askerOf } from '../workflow/requests/ask.ts';

/** A question as `clifford questions` shows it: open, or how it ended. */
export type QuestionView = RequestView & { readonly asker: string };

export function viewQuestion(request: RequestState): QuestionView {
  return { ...describeRequest(request), asker: askerOf(request) };
}
