import { expect } from 'vitest';
import { helpFrom } from '../../../src/tui/keys/help-focus.ts';
import type { OverviewEffect, OverviewState } from '../../../src/tui/overview/overview-state.ts';
import { anItem, anOverview, aRow, overviewAt } from '../../helpers/overview-views.ts';
import type { KeyCase } from './key-case.ts';
import { longText } from './screen-case.ts';

type OverviewCase = KeyCase<OverviewState, OverviewEffect>;

const sprints = overviewAt('sprints', { sprint: 'web' });
const inbox = overviewAt('inbox', { request: 'q-grammar' });
const ids = Array.from({ length: 100 }, (_, at) => `sprint-${at}`);
const many = overviewAt('sprints', {
  overview: anOverview({ rows: ids.map((id) => aRow(id)), inbox: [anItem()] }),
  sprint: 'sprint-50',
});
const pickedBy = (isThere: (at: number) => boolean): Pick<OverviewCase, 'check'> => ({
  check: ({ after }) => expect(ids.indexOf(after.sprint ?? '')).toSatisfy(isThere),
});
const onSprint = (sprint: string) => overviewAt('sprints', { sprint });
const words = { text: 'web', cursor: 3 };
const noWords = { text: '', cursor: 0 };

const lists: readonly OverviewCase[] = [
  { key: 'up', given: sprints, state: { sprint: 'checkout' } },
  { key: 'down', given: sprints, state: { sprint: 'api' } },
  { key: 'home', given: sprints, state: { sprint: 'checkout' } },
  { key: 'end', given: sprints, state: { sprint: 'old' } },
  { key: 'pagedown', given: many, ...pickedBy((at) => at > 51) },
  { key: 'pageup', given: many, ...pickedBy((at) => at >= 0 && at < 49) },
  { key: 'enter', given: inbox, effects: [{ type: 'enter', sprint: 'checkout', question: 'q-grammar' }] },
  { key: 'enter', given: onSprint('web'), state: { focus: { at: 'start', sprint: 'web', isArmed: false } } },
  { key: 'enter', given: onSprint('checkout'), effects: [{ type: 'enter', sprint: 'checkout' }] },
  { key: 'right', given: onSprint('checkout'), effects: [{ type: 'enter', sprint: 'checkout' }] },
  { key: 'tab', given: inbox, state: { area: 'sprints' } },
  { key: 'tab', given: sprints, state: { area: 'inbox' } },
  {
    key: 'r',
    given: onSprint('search'),
    state: { focus: { at: 'start', sprint: 'search', isArmed: false } },
  },
  ...(['enter', 'r'] as const).map((key) => ({
    key,
    given: { ...onSprint('api'), agentless: new Map([['api', 'Name one']]) },
    state: { focus: { at: 'lists' as const }, notice: { text: 'No agent is configured. Name one' } },
  })),
  { key: '/', given: sprints, state: { focus: { at: 'filter' } } },
  { key: 'escape', given: overviewAt('sprints', { filter: words }), state: { filter: noWords } },
  { key: '?', given: sprints, state: { focus: { at: 'help', top: 0 } } },
  { key: 'q', given: sprints, effects: [{ type: 'leave' }] },
  { key: 'ctrl+c', given: sprints, effects: [{ type: 'leave' }] },
];

const filter = overviewAt('sprints', { focus: { at: 'filter' }, filter: { text: 'c', cursor: 1 } });
const anything = overviewAt('sprints', { sprint: 'api', focus: { at: 'filter' } });
const filtering: readonly OverviewCase[] = [
  { key: 'enter', given: filter, state: { focus: { at: 'lists' }, filter: { text: 'c' } } },
  { key: 'escape', given: filter, state: { focus: { at: 'lists' }, filter: noWords } },
  { key: 'up', given: anything, state: { focus: { at: 'filter' }, sprint: 'web' } },
  { key: 'down', given: anything, state: { focus: { at: 'filter' }, sprint: 'search' } },
  { key: 'ctrl+c', given: filter, effects: [{ type: 'leave' }] },
];

const start = overviewAt('sprints', { sprint: 'web', focus: { at: 'start', sprint: 'web', isArmed: true } });
const starting: readonly OverviewCase[] = [
  {
    key: 'enter',
    given: start,
    effects: [{ type: 'run', sprint: 'web' }],
    state: { focus: { at: 'lists' } },
  },
  { key: 'w', given: start, effects: [{ type: 'enter', sprint: 'web' }] },
  { key: 'escape', given: start, state: { focus: { at: 'lists' } } },
  { key: '?', given: start, state: { focus: { at: 'help', back: start.focus } } },
  { key: 'ctrl+c', given: start, effects: [{ type: 'leave' }] },
];

const help = overviewAt('sprints', { focus: { ...helpFrom({ at: 'lists' }), top: 11 } });
const typing = overviewAt('sprints', {
  focus: { ...helpFrom({ at: 'lists' }), find: words, isFinding: true },
});
/** As far as there is more to see: on a wide screen there is none. */
const topIs = (top: number): Pick<OverviewCase, 'check'> => ({
  check: ({ after, helpMax }) =>
    expect(after.focus).toMatchObject({ at: 'help', top: Math.max(0, Math.min(top, helpMax)) }),
});
const helping: readonly OverviewCase[] = [
  { key: '?', given: help, state: { focus: { at: 'lists' } } },
  { key: 'up', given: help, ...topIs(10) },
  { key: 'down', given: help, ...topIs(12) },
  { key: 'pagedown', given: help, ...topIs(21) },
  { key: 'pageup', given: help, ...topIs(1) },
  { key: 'ctrl+c', given: help, effects: [{ type: 'leave' }] },
  { key: '/', given: help, state: { focus: { at: 'help', isFinding: true } } },
  { key: 'enter', given: typing, state: { focus: { find: words, isFinding: false } } },
  { key: 'escape', given: typing, state: { focus: { at: 'help', find: noWords, isFinding: false } } },
];

const looking = (wanted: string, picked = 0) =>
  overviewAt('sprints', {
    focus: { at: 'palette', draft: { text: wanted, cursor: wanted.length }, picked, back: 'lists' },
  });
const finding: readonly OverviewCase[] = [
  { key: ':', given: sprints, state: { focus: { at: 'palette', picked: 0, draft: noWords } } },
  {
    key: 'enter',
    given: looking('sprint checkout'),
    effects: [{ type: 'enter', sprint: 'checkout' }],
    state: { focus: { at: 'lists' } },
  },
  { key: 'up', given: looking('', 2), state: { focus: { picked: 1 } } },
  { key: 'down', given: looking('', 2), state: { focus: { picked: 3 } } },
  { key: 'tab', given: looking('/mcp li'), state: { focus: { draft: { text: '/mcp list ' } } } },
  { key: 'escape', given: looking('x'), state: { focus: { at: 'lists' } } },
  { key: 'ctrl+c', given: looking('x'), state: { focus: { at: 'palette', draft: noWords } } },
];

const said = (end: string | undefined, top = 0) =>
  overviewAt('sprints', {
    focus: { at: 'result', top, back: 'lists' },
    palette: { history: [], sprints: [], result: { title: 'clifford mcp list', text: longText, end } },
  });
const ended = said('ended with exit code 0', 70);
const topOf = (isThere: (top: number) => boolean): Pick<OverviewCase, 'check'> => ({
  check: ({ after: { focus } }) => expect('top' in focus ? focus.top : undefined).toSatisfy(isThere),
});
const reading: readonly OverviewCase[] = [
  {
    key: 'escape',
    given: said(undefined),
    effects: [{ type: 'slash-stop' }],
    state: { focus: { at: 'lists' } },
  },
  { key: 'escape', given: ended, state: { focus: { at: 'lists' } } },
  { key: '?', given: ended, state: { focus: { at: 'help', back: ended.focus } } },
  { key: 'up', given: ended, ...topOf((top) => top === 69) },
  { key: 'down', given: ended, ...topOf((top) => top === 71) },
  { key: 'home', given: ended, ...topOf((top) => top === 0) },
  { key: 'end', given: ended, ...topOf((top) => top > 100) },
  { key: 'pagedown', given: ended, ...topOf((top) => top > 72) },
  { key: 'pageup', given: ended, ...topOf((top) => top < 68) },
  { key: 'ctrl+c', given: ended, state: { focus: { at: 'lists' } } },
];

/** In the overview of all sprints. */
export const overviewCases = [...lists, ...filtering, ...starting, ...helping, ...finding, ...reading];
