import type { Question } from '../../views/sprints/sprint-view.ts';
import { hiddenText } from '../../views/calls/masked.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import type { Focus } from './focus.ts';
import type { ScreenState } from './screen-state.ts';

/** The question that is shown. */
export function currentQuestion({
  sprint,
  current,
}: Pick<ScreenState, 'sprint' | 'current'>): Question | undefined {
  return sprint.open.find(({ id }) => id === current);
}

/** The calls that are listed to be decided together, as far as they still wait. */
export function batchOf({ focus, sprint }: Pick<ScreenState, 'focus' | 'sprint'>): readonly Question[] {
  return 'ids' in focus ? sprint.open.filter(({ id }) => focus.ids.includes(id)) : [];
}

/** Whether there is more to see of the call that is shown. */
export function hidesPart(state: ScreenState): boolean {
  const { id, approval } = currentQuestion(state) ?? {};
  if (id === undefined || approval === undefined || state.revealed.has(id)) return false;
  return isShownInPart(approval) || hiddenText(approval) !== undefined;
}

/** Whether a person can change the call that is shown: the log has all of it, and so has the screen. */
export function canEdit(state: ScreenState): boolean {
  const { approval } = currentQuestion(state) ?? {};
  return approval !== undefined && !isShownInPart(approval) && !hidesPart(state);
}

/** Whether the answer to the question that is shown is being recorded. */
export function isSending({ sending, current }: ScreenState): boolean {
  return current !== undefined && sending.has(current);
}

/** The screen while what was said to a question is being recorded. */
export function withSending(state: ScreenState, id: string): ScreenState {
  return { ...state, focus: { at: 'sprint' }, sending: new Set(state.sending).add(id) };
}

/** In these places keys move in the panes, unless it is the question that they move. */
const beside: ReadonlySet<Focus['at']> = new Set<Focus['at']>(['sprint', 'filter', 'goal', 'stop']);

/** Keys move elsewhere than in what is asked. */
export function isElsewhere({ focus, browsing }: ScreenState): boolean {
  return beside.has(focus.at) && browsing.area !== 'question';
}
