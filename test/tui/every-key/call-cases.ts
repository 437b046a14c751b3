import { editText } from '../../../src/gateway/edit/edit-text.ts';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { approval } from '../../helpers/approval.ts';
import { aCallQuestion, deciding } from '../../helpers/screen-views.ts';
import { longText, scrolledTo, type ScreenCase } from './screen-case.ts';

const text = (words: string) => ({ text: words, cursor: words.length });
/** Seen to its end, however small the screen. */
const read = (state: ScreenState): ScreenState => ({ ...state, readToEnd: new Set(['q-1', 'q-2']) });
const one = read(deciding(aCallQuestion()));
const two = read(deciding(aCallQuestion(), aCallQuestion({ id: 'q-2' })));
const hidden = read(
  deciding(aCallQuestion({ approval: { ...approval, hidden: { values: 1, characters: 9, lines: 1 } } })),
);
const lines = longText.split('\n');
const long: ScreenState = {
  ...deciding(aCallQuestion({ approval: { ...approval, args: { lines } } })),
  questionTop: 50,
};
const at = (focus: Focus, state = one): ScreenState => ({ ...state, focus });
const atArming = { focus: { at: 'arming', dropped: 0 }, questionTop: 0 };
const approved = (scope: 'once' | 'task' | 'sprint' | 'always') => ({
  effects: [{ type: 'approve', id: 'q-1', scope }] as const,
  state: { focus: { at: 'sprint' }, sending: new Set(['q-1']) },
});

const scrolling = (state: ScreenState): readonly ScreenCase[] => [
  { key: 'pagedown', given: state, check: scrolledTo((top) => top > 51) },
  { key: 'pageup', given: state, check: scrolledTo((top) => top < 50) },
];
const byLines = (state: ScreenState): readonly ScreenCase[] => [
  { key: 'down', given: state, check: scrolledTo((top) => top === 51) },
  { key: 'up', given: state, check: scrolledTo((top) => top === 49) },
  { key: 'end', given: state, check: scrolledTo((top) => top > 100) },
  { key: 'home', given: state, check: scrolledTo((top) => top === 0) },
];

const card: readonly ScreenCase[] = [
  {
    key: 'y',
    given: { ...one, mayApprove: false },
    state: { notice: { text: 'A human allows calls: this is the shell of an agent' } },
  },
  { key: 'y', given: one, ...approved('once') },
  { key: 'n', given: one, state: { focus: { at: 'reject', back: 'arming' } } },
  { key: 'a', given: one, state: { focus: { at: 'scope', isArmed: false, picked: undefined } } },
  {
    key: 'e',
    given: one,
    state: {
      focus: { at: 'arming', dropped: 0, leadsTo: 'edit' },
      edits: new Map([['q-1', text(editText(approval).text)]]),
    },
  },
  { key: 'h', given: hidden, effects: [{ type: 'reveal', id: 'q-1' }] },
  {
    key: 'u',
    given: { ...two, folded: new Set(['q-1', 'q-2']) },
    state: { focus: { at: 'decide' }, folded: new Set(['q-2']) },
  },
  { key: 'y', given: long, state: { notice: { text: 'Read it all first: PgDn, Down or End' } } },
  ...scrolling(long),
  ...byLines(long),
  { key: 'w', given: one, state: { focus: { at: 'explain' } } },
  { key: 's', given: two, state: { focus: { at: 'batch', isArmed: false, ids: ['q-1', 'q-2'] } } },
  { key: 'tab', given: two, state: { current: 'q-2', focus: { at: 'arming', dropped: 0 } } },
  { key: 'tab', given: one, state: { focus: { at: 'sprint' } } },
  { key: 'shift+tab', given: two, state: { current: 'q-2', focus: { at: 'arming', dropped: 0 } } },
  { key: 'escape', given: one, state: { focus: { at: 'sprint' } } },
  { key: '?', given: one, state: { focus: { at: 'help', back: one.focus } } },
  { key: 'ctrl+c', given: one, effects: [{ type: 'stop', key: 'Ctrl-C' }] },
  { key: 'ctrl+c', given: { ...one, isOwner: false }, effects: [{ type: 'leave' }] },
  { key: 'ctrl+c', given: { ...one, isStopping: true }, effects: [{ type: 'kill' }] },
];

const batch = at({ at: 'batch', isArmed: true, ids: ['q-1', 'q-2'] }, two);
const alike = Array.from({ length: 150 }, (_, n) => aCallQuestion({ id: `q-${n + 1}` }));
const longBatch: ScreenState = {
  ...at({ at: 'batch', isArmed: true, ids: alike.map(({ id }) => id) }, deciding(...alike)),
  questionTop: 50,
};
const ids = ['q-1', 'q-2'];
const batches: readonly ScreenCase[] = [
  { key: 'y', given: batch, effects: [{ type: 'decide-all', ids, verdict: 'approved' }] },
  { key: 'n', given: batch, state: { focus: { at: 'reject', back: 'batch', ids } } },
  { key: 'y', given: longBatch, state: { notice: { text: 'Read it all first: PgDn, Down or End' } } },
  ...scrolling(longBatch),
  ...byLines(longBatch),
  { key: 'escape', given: batch, state: atArming },
  { key: '?', given: batch, state: { focus: { at: 'help', back: batch.focus } } },
  { key: 'ctrl+c', given: batch, state: atArming },
];

/** The keys that boxes on the card share, where this is what is kept. */
function box(given: ScreenState, kept: 'asks' | 'edits'): readonly ScreenCase[] {
  const filled: ScreenState = { ...given, [kept]: new Map([['q-1', text('a')]]) };
  return [
    { key: 'escape', given, state: atArming },
    ...scrolling(at(given.focus, long)),
    { key: 'ctrl+c', given: filled, state: { [kept]: new Map([['q-1', text('')]]) } },
    { key: 'ctrl+c', given, state: atArming },
    { key: 'alt+enter', given: filled, state: { [kept]: new Map([['q-1', text('a\n')]]) } },
    {
      key: 'ctrl+g',
      given: filled,
      effects: [{ type: 'edit-draft', at: { id: 'q-1', kept }, text: 'a' }],
    },
  ];
}

const explain = at({ at: 'explain' });
const edit = at({ at: 'edit' });
const changed = '{"path":"other.txt"}';
const boxes: readonly ScreenCase[] = [
  {
    key: 'enter',
    given: { ...explain, asks: new Map([['q-1', text('why?')]]) },
    effects: [{ type: 'explain', id: 'q-1', question: 'why?' }],
  },
  ...box(explain, 'asks'),
  {
    key: 'enter',
    given: { ...edit, edits: new Map([['q-1', text(changed)]]) },
    effects: [{ type: 'edit', id: 'q-1', text: changed }],
  },
  ...box(edit, 'edits'),
];

const denying: readonly ScreenCase[] = [
  {
    key: 'enter',
    given: at({ at: 'reject', back: 'batch', ids }, two),
    effects: [{ type: 'decide-all', ids, verdict: 'denied' }],
  },
  { key: 'enter', given: at({ at: 'reject', back: 'arming' }), effects: [{ type: 'deny', id: 'q-1' }] },
];

const scope = at({ at: 'scope', isArmed: true, picked: undefined });
const picked = at({ at: 'scope', isArmed: true, picked: 'sprint' });
const scopes: readonly ScreenCase[] = [
  { key: '1', given: scope, ...approved('task') },
  { key: '2', given: scope, ...approved('sprint') },
  { key: '3', given: scope, ...approved('always') },
  { key: 'down', given: scope, state: { focus: { picked: 'task' } } },
  { key: 'up', given: picked, state: { focus: { picked: 'task' } } },
  { key: 'enter', given: picked, ...approved('sprint') },
  ...scrolling(at(scope.focus, long)),
  { key: 'escape', given: scope, state: { focus: { at: 'arming', dropped: 0 } } },
  { key: '?', given: scope, state: { focus: { at: 'help', back: scope.focus } } },
  { key: 'ctrl+c', given: scope, state: atArming },
];

/** On the card of a call, and what it opens. */
export const callCases = [...card, ...batches, ...boxes, ...denying, ...scopes];
