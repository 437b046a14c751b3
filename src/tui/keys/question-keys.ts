import { optionKeys } from './answer-keys.ts';
import { currentQuestion } from '../screen/current-question.ts';
import { formKeys, isTurning } from './form-keys.ts';
import { openHelpUnnamed } from './open-help.ts';
import { recallKeys } from './recall-keys.ts';
import type { Binding, Situation } from './binding.ts';
import {
  asks,
  asksAboutCall,
  asksMore,
  closing,
  interrupting,
  scrollQuestion,
  toOthers,
} from './shared-keys.ts';
import { textKeys } from './text-keys.ts';

const inQuestion = ({ state }: Situation) => state.browsing.area === 'question';
const mayScroll = (now: Situation) => inQuestion(now) && now.canScrollQuestion;
const inDetail = ({ state }: Situation) => state.browsing.area === 'detail';

/** What a program asks at its terminal it asks in its own words. */
const mayRephrase = (now: Situation) => asks(now) && currentQuestion(now.state)?.kind !== 'prompt';

/** Rejects a question, with a reason, or dismisses it. */
const withoutAnswer: readonly Binding[] = [
  {
    keys: ['ctrl+r'],
    action: 'reject',
    hint: ['^R', 'reject'],
    help: ['^R', 'reject the question, with a reason'],
    group: 'Act',
    when: asks,
  },
  {
    keys: ['ctrl+x'],
    action: 'dismiss',
    hint: ['^X', 'dismiss'],
    help: ['^X', 'dismiss it, without an answer'],
    group: 'Act',
    when: asks,
  },
  {
    keys: ['ctrl+o'],
    action: 'rephrase',
    help: ['^O', 'ask for it in other words; you may say what is unclear'],
    group: 'Act',
    when: mayRephrase,
  },
];

/** Keys while a question waits whose box was left. */
export const questionKeys: readonly Binding[] = [
  { keys: ['i'], action: 'enter-box', hint: ['i', 'answer'], group: 'Act', when: asks },
  { keys: ['enter'], action: 'enter-box', when: (now) => asks(now) && !inDetail(now) },
  { keys: ['i'], action: 'enter-box', hint: ['i', 'decide'], group: 'Act', when: asksAboutCall },
  { keys: ['n'], action: 'next-question', hint: ['n/p', 'other question'], when: asksMore },
  { keys: ['p'], action: 'previous-question', when: asksMore },
  ...withoutAnswer,
  {
    keys: ['pagedown', 'down', 'j'],
    action: 'question-down',
    hint: ['PgDn', 'more'],
    help: ['PgDn', 'scroll the question'],
    when: mayScroll,
  },
  { keys: ['pageup', 'up', 'k'], action: 'question-up', when: mayScroll },
];

/** Keys in the box of a question. */
export const answerKeys: readonly Binding[] = [
  {
    keys: ['enter'],
    action: 'submit',
    hint: ['Enter', 'answer'],
    help: ['Enter', 'send the answer: what is typed, or the option that is chosen'],
    when: (now) => !isTurning(now),
  },
  ...formKeys,
  ...recallKeys,
  ...optionKeys,
  ...toOthers,
  ...scrollQuestion,
  // Before what there may be no room for: it leads to where the help lists that.
  { keys: ['escape'], action: 'close-box', hint: ['Esc', 'back'] },
  ...withoutAnswer,
  ...interrupting,
  ...textKeys,
];

const isOfBatch = ({ state: { focus } }: Situation) => focus.at === 'reject' && focus.back === 'batch';
const deniesOne = (now: Situation) => asksAboutCall(now) && !isOfBatch(now);

/** Keys in the box of the reason for turning it down, or for the no to a call. */
export const rejectKeys: readonly Binding[] = [
  { keys: ['enter'], action: 'send-same', hint: ['Enter', 'deny all'], when: isOfBatch },
  { keys: ['enter'], action: 'send-reason', hint: ['Enter', 'reject'], when: asks },
  { keys: ['enter'], action: 'send-reason', hint: ['Enter', 'deny'], when: deniesOne },
  { keys: ['escape'], action: 'close-reason', hint: ['Esc', 'back'] },
  ...scrollQuestion,
  ...closing,
  ...textKeys,
];

/** Keys in the box of what is unclear about it. */
export const rephraseKeys: readonly Binding[] = [
  { keys: ['enter'], action: 'send-rephrase', hint: ['Enter', 'ask for other words'] },
  { keys: ['escape'], action: 'close-rephrase', hint: ['Esc', 'back'] },
  ...scrollQuestion,
  ...closing,
  ...textKeys,
];

const isArmed = ({ state: { focus } }: Situation) => focus.at === 'confirm' && focus.isArmed;

/** Keys before it is closed without an answer. */
export const confirmKeys: readonly Binding[] = [
  { keys: ['y'], action: 'confirm', hint: ['y', 'dismiss'], when: isArmed },
  { keys: ['n', 'escape'], action: 'refuse', hint: ['n', 'keep'] },
  openHelpUnnamed,
  { keys: ['ctrl+c'], action: 'force' },
];
