import { expect } from 'vitest';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { withArea, type Browsing } from '../../../src/tui/screen/browsing.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import type { PossibleActs } from '../../../src/views/sprints/possible-acts.ts';
import { aBlockedSprint, aCallQuestion, aQuestion, aSprint, aTask } from '../../helpers/screen-views.ts';
import type { ScreenCase } from './screen-case.ts';
import { longText, scrolledTo, summary } from './screen-case.ts';

const watching = initialState({ isOwner: true, sprint: aSprint() });
const attached = initialState({ isOwner: false, sprint: aSprint() });

function browsing(over: Partial<Browsing>, state = watching): ScreenState {
  return { ...state, browsing: { ...state.browsing, ...over } };
}

function possible(over: Partial<PossibleActs>): ScreenState {
  return initialState({ isOwner: true, sprint: aSprint({ possible: { ...aSprint().possible, ...over } }) });
}

/** A question whose box was left. */
function asked(...open: ReturnType<typeof aQuestion>[]): ScreenState {
  return { ...initialState({ isOwner: true, sprint: aBlockedSprint(...open) }), focus: { at: 'sprint' } };
}
const question = asked(aQuestion());
/** Its box was left with Esc. */
const left = withArea(question, 'question');
const call = asked(aCallQuestion());
const two = asked(aQuestion(), aQuestion({ id: 'q-2' }));
const long = { ...asked(aQuestion({ question: longText })), questionTop: 50 };

const manyTasks = initialState({
  isOwner: true,
  sprint: aSprint({ tasks: Array.from({ length: 12 }, (_, at) => aTask({ id: `task-${at}` })) }),
});
const filter = (text: string) => ({ text, cursor: text.length });

/** The agent's output, left at its line 80 of 100. */
const output = browsing({ area: 'detail', places: new Map([['output parser', 80]]) });
const outputAt = ({ browsing: { places } }: ScreenState) => places.get('output parser');
const lines = [0, 1, 2].map((at) => ({
  at,
  line: { spans: [{ text: `event ${at}`, style: 'plain' as const }] },
  whole: () => [],
}));
const list = browsing({
  area: 'detail',
  pane: 'events',
  content: {
    key: 'events parser',
    version: '7',
    content: { lines: () => lines, empty: '' },
  },
});
const found = browsing(
  { filters: new Map([['output', filter('line 4')]]), found: new Map([['output parser', 42]]) },
  output,
);
const foundAt = ({ browsing: { found: at } }: ScreenState) => at.get('output parser');
const over: ScreenState = { ...watching, summary };

/** In the list of tasks: `schema`, `parser`, which is shown, and `docs`. */
const tasks: readonly ScreenCase[] = [
  { key: 'up', given: watching, state: { browsing: { task: 'schema' } } },
  { key: 'down', given: watching, state: { browsing: { task: 'docs' } } },
  { key: 'home', given: browsing({ task: 'docs' }), state: { browsing: { task: 'schema' } } },
  { key: 'end', given: watching, state: { browsing: { task: 'docs' } } },
  { key: 'enter', given: watching, state: { browsing: { area: 'detail' } } },
  { key: '/', given: manyTasks, state: { focus: { at: 'filter' } } },
  { key: '/', given: watching, state: { focus: { at: 'filter' }, browsing: { area: 'tasks' } } },
  {
    key: 'escape',
    given: browsing({ filters: new Map([['tasks', filter('pars')]]) }),
    state: { browsing: { filters: new Map([['tasks', filter('')]]) } },
  },
  { key: 'escape', given: browsing({ task: 'docs' }), state: { browsing: { task: undefined } } },
];

const detail: readonly ScreenCase[] = [
  { key: 'up', given: output, check: ({ after }) => expect(outputAt(after)).toBe(79) },
  { key: 'down', given: output, check: ({ after }) => expect(outputAt(after)).toBe(81) },
  { key: 'home', given: output, check: ({ after }) => expect(outputAt(after)).toBeLessThan(80) },
  { key: 'end', given: output, check: ({ after }) => expect(outputAt(after)).toBeUndefined() },
  { key: 'enter', given: list, state: { browsing: { opened: new Map([['events parser', 2]]) } } },
  { key: 'l', given: output, state: { browsing: { pane: 'task', area: 'detail' } } },
  { key: 'h', given: output, state: { browsing: { pane: allPanes.at(-1)?.id, area: 'detail' } } },
  { key: '/', given: output, state: { focus: { at: 'filter' }, browsing: { area: 'detail' } } },
  { key: 'escape', given: output, state: { browsing: { area: 'tasks' } } },
];

/** It looks for `line 4`, and stands at line 42. */
const finding: readonly ScreenCase[] = [
  { key: 'n', given: found, check: ({ after }) => expect(foundAt(after)).toBe(43) },
  { key: 'N', given: found, check: ({ after }) => expect(foundAt(after)).toBe(41) },
];

const waiting: readonly ScreenCase[] = [
  { key: 'i', given: question, state: { focus: { at: 'answer' }, browsing: { area: 'question' } } },
  { key: 'enter', given: question, state: { focus: { at: 'answer' }, browsing: { area: 'question' } } },
  { key: 'i', given: call, state: { focus: { at: 'arming' }, browsing: { area: 'question' } } },
  { key: 'n', given: two, state: { current: 'q-2', focus: { at: 'sprint' } } },
  { key: 'p', given: two, state: { current: 'q-2', focus: { at: 'sprint' } } },
  { key: 'ctrl+r', given: question, state: { focus: { at: 'reject', back: 'sprint' } } },
  { key: 'ctrl+x', given: question, state: { focus: { at: 'confirm', isArmed: false, back: 'sprint' } } },
  { key: 'up', given: left, state: { browsing: { task: 'schema', area: 'tasks' } } },
  { key: 'down', given: left, state: { browsing: { task: 'docs', area: 'tasks' } } },
  { key: 'pagedown', given: long, check: scrolledTo((top) => top > 50) },
  { key: 'pageup', given: long, check: scrolledTo((top) => top < 50) },
];

const everywhere: readonly ScreenCase[] = [
  {
    key: 'escape',
    given: initialState({ isOwner: false, isBelow: true, sprint: aSprint() }),
    effects: [{ type: 'leave' }],
  },
  { key: 'tab', given: watching, state: { browsing: { area: 'detail' } } },
  { key: 'shift+tab', given: withArea(question, 'detail'), state: { browsing: { area: 'tasks' } } },
  ...allPanes.map(({ id }, at): ScreenCase => ({
    key: `${at + 1}`,
    given: browsing({ pane: allPanes[at === 0 ? 1 : 0]?.id ?? '' }),
    state: { browsing: { pane: id, area: 'detail' } },
  })),
  { key: 'pagedown', given: output, check: ({ after }) => expect(outputAt(after)).not.toBe(80) },
  { key: 'pageup', given: output, check: ({ after }) => expect(outputAt(after)).toBeLessThan(80) },
  { key: '?', given: watching, state: { focus: { at: 'help', top: 0 } } },
  { key: 'q', given: watching, state: { focus: { at: 'stop', isArmed: false, key: 'q' } } },
  { key: 'q', given: attached, effects: [{ type: 'leave' }] },
  {
    key: 'q',
    given: { ...watching, isStopping: true },
    state: { isStopping: true, focus: { at: 'sprint' } },
  },
  { key: 'ctrl+c', given: watching, effects: [{ type: 'stop', key: 'Ctrl-C' }], state: { isStopping: true } },
  { key: 'ctrl+z', given: watching, effects: [{ type: 'suspend' }] },
  { key: 'escape', given: over, state: { focus: { at: 'over', top: 0 } } },
];

const ended = initialState({
  isOwner: false,
  sprint: aSprint({ state: 'done', detail: 'completed' }),
});
const deserted = {
  ...attached,
  processes: { hasRunner: false, gone: new Set(['parser', 'docs', 'schema']) },
};
const none = possible({ sprint: [], tasks: new Map() });
const deciding: readonly ScreenCase[] = [
  {
    key: 'R',
    given: possible({ tasks: new Map([['parser', ['retry']]]) }),
    effects: [{ type: 'act', act: 'retry', task: 'parser' }],
  },
  { key: 'P', given: watching, effects: [{ type: 'act', act: 'pause' }] },
  { key: 'P', given: possible({ sprint: ['resume'] }), effects: [{ type: 'act', act: 'resume' }] },
  { key: 'S', given: watching, state: { focus: { at: 'act', act: 'skip', task: 'parser' } } },
  { key: 'X', given: watching, state: { focus: { at: 'act', act: 'cancel', task: 'parser' } } },
  {
    key: 'M',
    given: possible({ tasks: new Map([['parser', ['note']]]) }),
    state: { focus: { at: 'act', act: 'note', task: 'parser' } },
  },
  { key: 'B', given: attached, effects: [{ type: 'ask-start' }] },
  { key: 'B', given: deserted, effects: [{ type: 'ask-start' }] },
  {
    key: 'B',
    given: { ...question, isOwner: false, processes: deserted.processes },
    effects: [{ type: 'ask-start' }],
  },
  { key: 'B', given: ended, effects: [{ type: 'ask-start' }] },
  { key: 'T', given: deserted, state: { focus: { at: 'act-sure', isArmed: false, act: 'stop' } } },
  { key: 'T', given: ended, state: { focus: { at: 'act-sure', isArmed: false, act: 'stop' } } },
  { key: 'T', given: attached, state: { focus: { at: 'act-sure', isArmed: false, act: 'stop' } } },
  {
    key: 'C',
    given: possible({ sprint: ['cancel'] }),
    state: { focus: { at: 'act', act: 'cancel', task: undefined } },
  },
  { key: 'B', given: none, state: { notice: { text: expect.stringContaining('T stops the run') } } },
  { key: 'M', given: none, effects: [{ type: 'why-not', act: 'note', task: 'parser' }] },
  { key: 'C', given: none, effects: [{ type: 'why-not', act: 'cancel' }] },
  { key: 'R', given: none, effects: [{ type: 'why-not', act: 'retry', task: 'parser' }] },
  { key: 'P', given: none, effects: [{ type: 'why-not', act: 'pause' }] },
  { key: 'S', given: none, effects: [{ type: 'why-not', act: 'skip', task: 'parser' }] },
  { key: 'X', given: none, effects: [{ type: 'why-not', act: 'cancel', task: 'parser' }] },
];

const intoPast: readonly ScreenCase[] = [
  { key: 'left', given: watching, effects: [{ type: 'travel', travel: { to: 'event', step: -1 } }] },
  { key: 'shift+left', given: watching, effects: [{ type: 'travel', travel: { to: 'mark', step: -1 } }] },
];

/** Where nothing is typed, in the present. */
export const sprintCases = [
  ...tasks,
  ...detail,
  ...finding,
  ...waiting,
  ...everywhere,
  ...deciding,
  ...intoPast,
];
