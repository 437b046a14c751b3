import type { Question } from '../../views/sprint-view.ts';
import { changedPaths } from '../../views/call-changes.ts';
import { batchOf, currentQuestion } from './current-question.ts';
import type { ScreenState } from './screen-state.ts';

/** Whether what the calls that are shown would make of files is there to be seen: a yes is one to that. */
export function isCompared(state: Pick<ScreenState, 'sprint' | 'current' | 'focus' | 'seen'>): boolean {
  const batch = batchOf(state);
  const current = currentQuestion(state);
  const shown = batch.length > 0 || !current ? batch : [current];
  return shown.every((question) => state.seen.has(question.id) || !changesFiles(question));
}

/** Which files a call of a server means nobody here knows. */
function changesFiles({ approval }: Question): boolean {
  return approval?.isOwn === true && changedPaths(approval.args).length > 0;
}
