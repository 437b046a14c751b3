import { changeText } from '../../views/changes/change-text.ts';
import type { Change } from '../../views/events/changes-between.ts';
import { requestTitle } from '../../views/requests/request-title.ts';

/** A change on one line of the screen: a question as it reads. */
export function changeLine(change: Change): string {
  if (change.kind !== 'asked') return changeText(change);
  const { request } = change;
  return changeText({ ...change, request: { ...request, question: requestTitle(request) } });
}
