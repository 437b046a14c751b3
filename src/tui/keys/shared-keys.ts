import { currentQuestion } from '../screen/screen-state.ts';
import type { Binding, Situation } from './binding.ts';

/** A question waits, that is not about a call. */
export const asks = ({ state }: Situation) => {
  const question = state.past ? undefined : currentQuestion(state);
  return question !== undefined && !question.approval;
};
/** A call waits for its yes or no. */
export const asksAboutCall = ({ state }: Situation) =>
  !state.past && currentQuestion(state)?.approval !== undefined;
/** There is another question. */
export const asksMore = ({ state }: Situation) => state.sprint.open.length > 1;
/** The screen belongs to a run that is not over. */
export const owns = ({ state }: Pick<Situation, 'state'>) => state.isOwner && state.summary === undefined;
/** It only looks at it. */
export const watches = (now: Pick<Situation, 'state'>) => !owns(now);
/** Leaving it stops nothing, and leads back to the overview of all sprints. */
export const isBelow = ({ state: { isBelow: is, isOwner, browsing } }: Situation) =>
  is && !isOwner && browsing.area !== 'detail' && browsing.task === undefined;

/** Turns a question down, with a reason. */
export const reject: Binding = {
  keys: ['ctrl+r'],
  action: 'reject',
  hint: ['^R', 'reject'],
  help: ['^R', 'turn the question down, with a reason'],
  when: asks,
};
/** Closes it without an answer. */
export const dismiss: Binding = {
  keys: ['ctrl+x'],
  action: 'dismiss',
  hint: ['^X', 'dismiss'],
  help: ['^X', 'close it without an answer'],
  when: asks,
};
