import type { Focus } from '../../../src/tui/screen/focus.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { answering, aQuestion } from '../../helpers/screen-views.ts';
import { expect } from 'vitest';
import { storeForm } from '../../helpers/store-form.ts';
import { longText, scrolledTo, type ScreenCase } from './screen-case.ts';

const text = (words: string) => ({ text: words, cursor: words.length });
const drafted = (state: ScreenState, words: string): ScreenState => ({
  ...state,
  drafts: new Map([['q-1', text(words)]]),
});
const plain = answering(aQuestion());
const two = answering(aQuestion(), aQuestion({ id: 'q-2' }));
const chooses = answering(aQuestion({ options: ['LL', 'LR', 'PEG'] }));
const several = answering(aQuestion({ options: ['LL', 'LR', 'PEG'], isMultiple: true }));
const at = (focus: Focus, state = plain): ScreenState => ({ ...state, focus });
const long: ScreenState = { ...answering(aQuestion({ question: longText })), questionTop: 50 };
const atArming = { focus: { at: 'arming', dropped: 0 } };
const toSprint = { focus: { at: 'sprint' } };

const recalled: ScreenState = {
  ...drafted(plain, 'LR'),
  recall: { id: 'q-1', answers: ['LR', 'LL'], at: 0, draft: text('') },
};

/** In the box of a question. */
const answer: readonly ScreenCase[] = [
  {
    key: 'enter',
    given: drafted(plain, 'LL'),
    effects: [{ type: 'answer', id: 'q-1', response: 'LL' }],
    state: { ...toSprint, sending: new Set(['q-1']) },
  },
  { key: 'up', given: plain, effects: [{ type: 'recall', id: 'q-1' }] },
  { key: 'alt+up', given: recalled, state: { recall: { at: 1 } } },
  { key: 'down', given: recalled, state: { recall: undefined } },
  {
    key: 'up',
    given: { ...chooses, choices: new Map([['q-1', { at: 2 }]]) },
    state: { choices: new Map([['q-1', { at: 1 }]]) },
  },
  {
    key: 'up',
    given: { ...several, choices: new Map([['q-1', { at: 2 }]]) },
    state: { choices: new Map([['q-1', { at: 1 }]]) },
  },
  { key: 'down', given: chooses, state: { choices: new Map([['q-1', { at: 0 }]]) } },
  {
    key: ' ',
    given: { ...several, choices: new Map([['q-1', { at: 2 }]]) },
    state: { choices: new Map([['q-1', { at: 2, marked: [2] }]]) },
  },
  { key: ' ', given: several, state: { choices: new Map([['q-1', { at: 0, marked: [0] }]]) } },
  { key: 'tab', given: two, state: { current: 'q-2', focus: { at: 'answer' } } },
  { key: 'tab', given: plain, state: toSprint },
  { key: 'shift+tab', given: two, state: { current: 'q-2', focus: { at: 'answer' } } },
  { key: 'pagedown', given: long, check: scrolledTo((top) => top > 50) },
  { key: 'pageup', given: long, check: scrolledTo((top) => top < 50) },
  { key: 'ctrl+r', given: plain, state: { focus: { at: 'reject', back: 'answer' } } },
  { key: 'ctrl+x', given: plain, state: { focus: { at: 'confirm', isArmed: false, back: 'answer' } } },
  {
    key: 'escape',
    given: drafted(plain, 'LL'),
    state: { ...toSprint, drafts: new Map([['q-1', text('LL')]]) },
  },
  { key: 'ctrl+c', given: drafted(plain, 'LL'), state: { drafts: new Map([['q-1', text('')]]) } },
  { key: 'ctrl+c', given: plain, effects: [{ type: 'stop', key: 'Ctrl-C' }] },
  { key: 'ctrl+c', given: { ...plain, isOwner: false }, effects: [{ type: 'leave' }] },
  { key: 'ctrl+c', given: { ...plain, isStopping: true }, effects: [{ type: 'kill' }] },
  { key: 'alt+enter', given: drafted(plain, 'a'), state: { drafts: new Map([['q-1', text('a\n')]]) } },
  {
    key: 'ctrl+g',
    given: drafted(plain, 'a'),
    effects: [{ type: 'edit-draft', at: { id: 'q-1', kept: 'drafts' }, text: 'a' }],
  },
];

const reject = at({ at: 'reject', back: 'answer' });
const why: ScreenState = { ...reject, reasons: new Map([['q-1', text('no')]]) };
const rejecting: readonly ScreenCase[] = [
  { key: 'enter', given: why, effects: [{ type: 'reject', id: 'q-1', reason: 'no' }] },
  { key: 'escape', given: reject, state: { focus: { at: 'answer' } } },
  { key: 'pagedown', given: at(reject.focus, long), check: scrolledTo((top) => top > 50) },
  { key: 'pageup', given: at(reject.focus, long), check: scrolledTo((top) => top < 50) },
  { key: 'ctrl+c', given: why, state: { reasons: new Map([['q-1', text('')]]) } },
  { key: 'ctrl+c', given: reject, state: atArming },
  { key: 'alt+enter', given: why, state: { reasons: new Map([['q-1', text('no\n')]]) } },
  {
    key: 'ctrl+g',
    given: why,
    effects: [{ type: 'edit-draft', at: { id: 'q-1', kept: 'reasons' }, text: 'no' }],
  },
];

const confirm = at({ at: 'confirm', isArmed: true, back: 'answer' });
const confirming: readonly ScreenCase[] = [
  { key: 'y', given: confirm, effects: [{ type: 'dismiss', id: 'q-1' }], state: toSprint },
  { key: 'n', given: confirm, state: { focus: { at: 'answer' } } },
  { key: '?', given: confirm, state: { focus: { at: 'help', back: confirm.focus } } },
  { key: 'ctrl+c', given: confirm, state: { focus: { at: 'answer' } } },
];

const unclear = at({ at: 'rephrase', back: 'answer' });
const how: ScreenState = { ...unclear, asks: new Map([['q-1', text('which')]]) };
const rephrasing: readonly ScreenCase[] = [
  { key: 'ctrl+o', given: plain, state: { focus: { at: 'rephrase', back: 'answer' } } },
  { key: 'ctrl+o', given: at({ at: 'sprint' }), state: { focus: { at: 'rephrase', back: 'sprint' } } },
  { key: 'enter', given: how, effects: [{ type: 'rephrase', id: 'q-1', how: 'which' }] },
  { key: 'escape', given: unclear, state: { focus: { at: 'answer' } } },
  { key: 'pagedown', given: at(unclear.focus, long), check: scrolledTo((top) => top > 50) },
  { key: 'pageup', given: at(unclear.focus, long), check: scrolledTo((top) => top < 50) },
  { key: 'ctrl+c', given: how, state: { asks: new Map([['q-1', text('')]]) } },
  { key: 'ctrl+c', given: unclear, state: { focus: { at: 'answer' } } },
  { key: 'alt+enter', given: how, state: { asks: new Map([['q-1', text('which\n')]]) } },
  {
    key: 'ctrl+g',
    given: how,
    effects: [{ type: 'edit-draft', at: { id: 'q-1', kept: 'asks' }, text: 'which' }],
  },
];

const form = answering(aQuestion({ questions: storeForm }));
const entries = storeForm.map(() => ({ choice: { at: undefined }, words: text('') }));
/** At one of its questions, or behind them, where a person is at this answer. */
const formAt = (shown: number, answer?: number): ScreenState => ({
  ...form,
  forms: new Map([['q-1', { at: shown, entries, review: { at: answer } }]]),
});
const isAt = (at: number) => ({ forms: new Map([['q-1', expect.objectContaining({ at })]]) });
/** Of its first question this option is picked. */
const firstAt = (at: number) => {
  const first = expect.objectContaining({ choice: expect.objectContaining({ at }) });
  return { forms: new Map([['q-1', expect.objectContaining({ entries: [first, ...entries.slice(1)] })]]) };
};
const ofForms: readonly ScreenCase[] = [
  { key: 'enter', given: formAt(3), state: isAt(4) },
  { key: 'enter', given: formAt(4), state: isAt(0) },
  { key: 'enter', given: formAt(4, 2), state: isAt(2) },
  { key: 'tab', given: form, state: isAt(1) },
  { key: 'tab', given: formAt(4), state: isAt(0) },
  { key: 'shift+tab', given: form, state: isAt(4) },
  { key: 'up', given: form, state: firstAt(1) },
  {
    key: 'up',
    given: formAt(4, 2),
    state: { forms: new Map([['q-1', expect.objectContaining({ review: { at: 1 } })]]) },
  },
  { key: 'right', given: form, state: isAt(1) },
  { key: 'left', given: formAt(2), state: isAt(1) },
  { key: '?', given: formAt(4), state: { focus: { at: 'help', back: { at: 'answer' } } } },
];

/** Of a question, and of whatever has just come up. */
export const questionCases = [
  ...rephrasing,
  ...ofForms,
  ...answer,
  ...rejecting,
  ...confirming,
  {
    key: 'ctrl+c',
    given: at({ at: 'arming', dropped: 0 }),
    effects: [{ type: 'stop', key: 'Ctrl-C' }],
  },
] satisfies readonly ScreenCase[];
