import { expect } from 'vitest';
import { helpFrom } from '../../../src/tui/keys/help-focus.ts';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { aSprint, aTask } from '../../helpers/screen-views.ts';
import { summary, type ScreenCase } from './screen-case.ts';

const text = (words: string) => ({ text: words, cursor: words.length });
const watching = initialState({ isOwner: true, sprint: aSprint() });
const at = (focus: Focus, state = watching): ScreenState => ({ ...state, focus });
const toSprint = { focus: { at: 'sprint' } };
const topIs =
  (isThere: (top: number) => boolean): NonNullable<ScreenCase['check']> =>
  ({ after: { focus } }) =>
    expect('top' in focus ? focus.top : undefined).toSatisfy(isThere);

const failed = aSprint({
  tasks: [aTask({ state: 'done', detail: 'failed', attempt: 1 })],
  possible: { sprint: [], tasks: new Map([['parser', ['retry', 'skip']]]) },
});
const over = at({ at: 'over', top: 20 }, { ...initialState({ isOwner: true, sprint: failed }), summary });
const unfinished = at({ at: 'over', top: 0 }, { ...watching, summary });
const overCases: readonly ScreenCase[] = [
  { key: 'R', given: over, effects: [{ type: 'run-again', retries: true }] },
  { key: 'R', given: unfinished, effects: [{ type: 'run-again', retries: false }] },
  {
    key: 'S',
    given: over,
    state: { focus: { at: 'act', act: 'skip', task: 'parser' }, browsing: { task: 'parser' } },
  },
  { key: 'g', given: over, effects: [{ type: 'copy-report' }] },
  { key: 'enter', given: over, state: { ...toSprint, browsing: { area: 'tasks' } } },
  ...allPanes.map(({ id }, place): ScreenCase => ({
    key: `${place + 1}`,
    given: over,
    state: { ...toSprint, browsing: { area: 'detail', pane: id } },
  })),
  { key: 'up', given: over, check: topIs((top) => top === 19) },
  { key: 'down', given: over, check: topIs((top) => top === 21) },
  { key: 'pagedown', given: over, check: topIs((top) => top === 30) },
  { key: 'pageup', given: over, check: topIs((top) => top === 10) },
  { key: '?', given: over, state: { focus: { at: 'help', top: 0 } } },
  { key: 'q', given: over, effects: [{ type: 'leave' }] },
  { key: 'ctrl+c', given: over, effects: [{ type: 'leave' }] },
  { key: 'left', given: over, effects: [{ type: 'travel', travel: { to: 'event', step: -1 } }] },
  { key: 'shift+left', given: over, effects: [{ type: 'travel', travel: { to: 'mark', step: -1 } }] },
];

const filters = (words: string) => new Map([['tasks', text(words)]]);
const filter: ScreenState = at(
  { at: 'filter' },
  { ...watching, browsing: { ...watching.browsing, filters: filters('s') } },
);
const filterCases: readonly ScreenCase[] = [
  { key: 'enter', given: filter, state: { ...toSprint, browsing: { filters: filters('s') } } },
  { key: 'escape', given: filter, state: { ...toSprint, browsing: { filters: filters('') } } },
  { key: 'up', given: filter, state: { focus: { at: 'filter' }, browsing: { task: 'schema' } } },
  { key: 'down', given: filter, state: { focus: { at: 'filter' }, browsing: { task: 'docs' } } },
  { key: 'ctrl+c', given: filter, state: { focus: { at: 'filter' }, browsing: { filters: filters('') } } },
];

const help = at({ ...helpFrom({ at: 'sprint' }), top: 11 });
/** More of them than any terminal shows at once. */
const many = at({ ...helpFrom({ at: 'sprint' }), find: text('e'), top: 11 });
const finding = at({ ...helpFrom({ at: 'sprint' }), find: text('pause'), isFinding: true });
const helpCases: readonly ScreenCase[] = [
  { key: '?', given: help, state: toSprint },
  { key: 'up', given: many, check: topIs((top) => top === 10) },
  { key: 'down', given: many, check: topIs((top) => top === 12) },
  { key: 'pagedown', given: many, check: topIs((top) => top === 21) },
  { key: 'pageup', given: many, check: topIs((top) => top === 1) },
  { key: 'ctrl+c', given: help, state: toSprint },
  { key: '/', given: help, state: { focus: { at: 'help', isFinding: true } } },
  { key: 'enter', given: finding, state: { focus: { find: text('pause'), isFinding: false } } },
  { key: 'escape', given: finding, state: { focus: { at: 'help', find: text(''), isFinding: false } } },
];

const ending = { act: 'cancel', task: 'parser', reason: text('no use') } as const;
const act = at({ at: 'act', ...ending });
const note = at({ at: 'act', ...ending, act: 'note' });
const actCases: readonly ScreenCase[] = [
  {
    key: 'enter',
    given: note,
    effects: [{ type: 'act', act: 'note', task: 'parser', reason: 'no use' }],
    state: toSprint,
  },
  { key: 'enter', given: act, state: { focus: { at: 'act-sure', isArmed: false, ...ending } } },
  {
    key: 'enter',
    given: at({ at: 'act', ...ending, act: 'skip' }),
    state: { focus: { at: 'act-sure', isArmed: false, ...ending, act: 'skip' } },
  },
  { key: 'escape', given: act, state: toSprint },
  { key: 'ctrl+c', given: act, state: { focus: { at: 'act', reason: text('') } } },
  { key: 'alt+enter', given: act, state: { focus: { reason: text('no use\n') } } },
];

const sure = at({ at: 'act-sure', isArmed: true, ...ending });
const told = { task: 'parser', reason: 'no use' };
const sureCases: readonly ScreenCase[] = [
  {
    key: 'y',
    given: at({ at: 'act-sure', isArmed: true, ...ending, act: 'skip' }),
    effects: [{ type: 'act', act: 'skip', ...told }],
    state: toSprint,
  },
  { key: 'y', given: sure, effects: [{ type: 'act', act: 'cancel', ...told }], state: toSprint },
  {
    key: 'y',
    given: at({ at: 'act-sure', isArmed: true, ...ending, act: 'stop', task: undefined }),
    effects: [{ type: 'act', act: 'stop', task: undefined, reason: 'no use' }],
    state: toSprint,
  },
  {
    key: 'y',
    given: at({ at: 'act-sure', isArmed: true, ...ending, act: 'start', task: undefined }),
    effects: [{ type: 'start' }],
    state: toSprint,
  },
  { key: 'n', given: sure, state: { focus: { at: 'act', ...ending } } },
  { key: '?', given: sure, state: { focus: { at: 'help', back: sure.focus } } },
  { key: 'ctrl+c', given: sure, state: toSprint },
];

const stop = at({ at: 'stop', isArmed: true, key: 'q', back: { at: 'sprint' } });
const stopCases: readonly ScreenCase[] = [
  { key: 'q', given: stop, effects: [{ type: 'stop', key: 'q' }], state: { isStopping: true } },
  { key: 'g', given: stop, effects: [{ type: 'detach' }], state: toSprint },
  { key: 'n', given: stop, state: toSprint },
  { key: '?', given: stop, state: { focus: { at: 'help', back: stop.focus } } },
  { key: 'ctrl+c', given: stop, effects: [{ type: 'stop', key: 'Ctrl-C' }], state: { isStopping: true } },
];

const closed = at({ at: 'closed' });
const closedCases: readonly ScreenCase[] = [
  { key: 'escape', given: closed, state: toSprint },
  { key: 'ctrl+c', given: closed, effects: [{ type: 'stop', key: 'Ctrl-C' }], state: { isStopping: true } },
];

/** Of the other places of the screen of a sprint. */
export const otherCases = [
  ...overCases,
  ...filterCases,
  ...helpCases,
  ...actCases,
  ...sureCases,
  ...stopCases,
  ...closedCases,
];
