import { seeChanges } from '../../views/calls/seen-changes.ts';
import { namesFiles } from '../../workflow/requests/compare-files.ts';
import { batchOf, currentQuestion } from '../screen/current-question.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Whether what the calls that are shown would make of files is there to be seen: a yes is one to that. */
export function isCompared(state: Pick<ScreenState, 'sprint' | 'current' | 'focus' | 'seen'>): boolean {
  const batch = batchOf(state);
  const current = currentQuestion(state);
  const shown = batch.length > 0 || !current ? batch : [current];
  return shown.every((question) => state.seen.has(question.id) || !namesFiles(question.approval, seeChanges));
}
