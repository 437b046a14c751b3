import { taskFilter } from '../screen/browsing.ts';
import { currentDraft, isTyping } from '../drafts/drafts.ts';
import { currentQuestion } from '../screen/current-question.ts';
import type { Binding, Situation } from './binding.ts';

/** A question waits, that is not about a call. */
export const asks = ({ state }: Pick<Situation, 'state'>) => {
  const question = state.past ? undefined : currentQuestion(state);
  return question !== undefined && !question.approval;
};
/** A call waits for its yes or no. */
export const asksAboutCall = ({ state }: Pick<Situation, 'state'>) =>
  !state.past && currentQuestion(state)?.approval !== undefined;
/** There is another question. */
export const asksMore = ({ state }: Situation) => state.sprint.open.length > 1;
/** The screen belongs to a run that is not over. */
export const owns = ({ state }: Pick<Situation, 'state'>) => state.isOwner && state.summary === undefined;
/** That run is being stopped already. */
export const isStopping = ({ state }: Pick<Situation, 'state'>) => state.isStopping;
/** It only looks at it. */
export const watches = (now: Pick<Situation, 'state'>) => !owns(now);
/** What happens next may happen to another task than the one that is picked. */
export const followsWork = ({ state: { past, sprint } }: Pick<Situation, 'state'>) =>
  past !== undefined || sprint.state !== 'done';
/** Leaving it stops nothing, and leads back to the overview of all sprints. */
export const isBelow = ({ state }: Situation) => {
  const { isBelow: is, isOwner, browsing } = state;
  const isHeld = browsing.task !== undefined && followsWork({ state });
  return is && !isOwner && browsing.area !== 'detail' && !isHeld && taskFilter({ browsing }).text === '';
};

const hasTyped = ({ state }: Situation) => isTyping(state) && currentDraft(state).text !== '';

const clearing: Binding = { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'clear'], when: hasTyped };

/** Where nothing is typed: it closes what has been opened. Esc is named for that. */
export const closingCard: Binding = { keys: ['ctrl+c'], action: 'force' };

/** In a box: it closes it, too, once nothing is typed in it. */
export const closing: readonly Binding[] = [clearing, closingCard];

/** On the card of what waits, which stays there. */
export const interruptingCard: readonly Binding[] = [
  {
    keys: ['ctrl+c'],
    action: 'force',
    hint: ['^C', 'stop'],
    when: (now) => owns(now) && !isStopping(now),
  },
  {
    keys: ['ctrl+c'],
    action: 'force',
    hint: ['^C', 'end agents now'],
    when: (now) => owns(now) && isStopping(now),
  },
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'leave'], when: watches },
];

/** In its box. */
export const interrupting: readonly Binding[] = [clearing, ...interruptingCard];

/** A further line in a box. */
export const newline: Binding = {
  keys: ['alt+enter', 'ctrl+j'],
  action: 'newline',
  hint: ['Alt+Enter', 'line'],
  help: ['Alt+Enter', 'begin a new line'],
};

/** To the other questions, from the box or the card of one. */
export const toOthers: readonly Binding[] = [
  {
    keys: ['tab'],
    action: 'next-question',
    hint: ['Tab', 'others'],
    help: ['Tab', 'the next question'],
    when: asksMore,
  },
  { keys: ['shift+tab'], action: 'previous-question', when: asksMore },
  // With no other question it leads out, as Tab leads on from each part.
  { keys: ['tab'], action: 'close-box', when: (now) => !asksMore(now) },
];

/** The question above a box that takes the other keys. */
export const scrollQuestion: readonly Binding[] = [
  {
    keys: ['pagedown'],
    action: 'question-down',
    hint: ['PgDn', 'more'],
    help: ['PgDn', 'scroll the question'],
    when: (now) => now.canScrollQuestion,
  },
  { keys: ['pageup'], action: 'question-up' },
];
