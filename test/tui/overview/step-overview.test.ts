import { describe, expect, it } from 'vitest';
import { overviewHelp, overviewHints } from '../../../src/tui/overview/overview-keys.ts';
import {
  currentArea,
  openOverview,
  pickedItem,
  pickedRow,
  placeIn,
  shownInbox,
  shownRows,
  type OverviewEffect,
  type OverviewEvent,
  type OverviewState,
} from '../../../src/tui/overview/overview-state.ts';
import { stepOverview } from '../../../src/tui/overview/step-overview.ts';
import {
  aDangerousCall,
  anItem,
  anOverview,
  aRow,
  overviewAt,
  overviewRoom,
} from '../../helpers/overview-views.ts';
import { typed } from '../../helpers/screen-views.ts';

/** The overview after events, and where the person went. */
function after(start: OverviewState, ...events: OverviewEvent[]) {
  const went: OverviewEffect[] = [];
  const state = events.reduce((now, event) => stepOverview(now, event, (effect) => went.push(effect)), start);
  return { state, went };
}

/** Each is a chunk of input of its own: a key by its name, or a character. */
const keys = (...names: string[]): OverviewEvent[] =>
  names.map((name) => ({
    type: 'keys',
    strokes: [name.length === 1 ? { text: name } : { key: name }],
    room: overviewRoom,
  }));
const press = (start: OverviewState, ...names: string[]) => after(start, ...keys(...names));
const sprints = overviewAt('sprints');
const inbox = overviewAt('inbox');
const onSprint = (id: string) => overviewAt('sprints', { sprint: id });
const rowOf = ({ state }: { state: OverviewState }) => pickedRow(state)?.sprint.id;

describe('keys in the overview', () => {
  it('begin where somebody is needed, else with the sprints', () => {
    expect(openOverview(anOverview()).area).toBe('inbox');
    expect(openOverview(anOverview({ inbox: [] })).area).toBe('sprints');
  });

  it.each([
    [['down'], 'web'],
    [['j', 'j'], 'api'],
    [['down', 'down', 'up'], 'web'],
    [['down', 'k'], 'checkout'],
    [['up'], 'checkout'],
    [['end'], 'old'],
    [['G', 'down'], 'old'],
    [['end', 'home'], 'checkout'],
    [['G', 'g'], 'checkout'],
    [['pagedown'], 'old'],
    [['pagedown', 'pageup'], 'checkout'],
  ])('%j move among the sprints', (names, id) => {
    expect(rowOf(press(sprints, ...names))).toBe(id);
  });

  it('move in the list that has them, and Tab leads to the other', () => {
    const moved = press(inbox, 'down');
    expect([pickedItem(moved.state)?.id, rowOf(moved)]).toEqual(['q-grammar', 'checkout']);
    expect(currentArea(press(inbox, 'tab').state)).toBe('sprints');
    expect(currentArea(press(sprints, 'shift+tab').state)).toBe('inbox');
    expect(currentArea(press(openOverview(anOverview({ inbox: [] })), 'tab').state)).toBe('sprints');
  });

  it.each(['enter', 'right', 'l'])('%s leads from what waits to its sprint, with that question', (key) => {
    expect(press(inbox, 'down', key).went).toEqual([
      { type: 'enter', sprint: 'checkout', question: 'q-grammar' },
    ]);
  });

  it.each(['checkout', 'search', 'old'])('Enter leads into sprint %s, and starts nothing', (id) => {
    expect(press(onSprint(id), 'enter').went).toEqual([{ type: 'enter', sprint: id }]);
  });

  it('Enter offers to run a sprint that nobody runs, and does so once that could be seen', () => {
    const offered = press(onSprint('web'), 'enter');
    expect(offered.state.focus).toEqual({ at: 'start', sprint: 'web', isArmed: false });
    expect(press(offered.state, 'enter').went).toEqual([]);
    expect(press(offered.state, 'y').went).toEqual([]);
    const armed = after(offered.state, { type: 'armed', focus: offered.state.focus });
    expect(press(armed.state, 'enter')).toMatchObject({
      went: [{ type: 'run', sprint: 'web' }],
      state: { focus: { at: 'lists' } },
    });
  });

  it('what is typed behind a paste runs nothing: both were meant for something else', () => {
    const offered = press(onSprint('web'), 'enter').state;
    const armed = after(offered, { type: 'armed', focus: offered.focus }).state;
    const pasted = after(armed, { type: 'paste', text: 'x' }).state;
    expect(press(pasted, 'enter')).toMatchObject({ went: [], state: { focus: { at: 'start' } } });
  });

  it('what was armed takes no yes before it was seen again, on a terminal of a new size or behind Ctrl+Z', () => {
    const offered = press(onSprint('web'), 'enter').state;
    const seen = after(offered, { type: 'armed', focus: offered.focus }).state;
    const unseen = after(seen, { type: 'unseen' }).state;
    expect(press(unseen, 'enter')).toMatchObject({ went: [], state: { focus: { at: 'start' } } });
    expect(after(sprints, { type: 'unseen' }).state).toBe(sprints);
  });

  it('an Enter that comes in one chunk with the first, or was held down, runs nothing', () => {
    const { went } = after(onSprint('web'), {
      type: 'keys',
      strokes: typed('', 'enter', 'enter', 'enter'),
      room: overviewRoom,
    });
    expect(went).toEqual([]);
  });

  it.each([['yes'], ['y\r'], ['wy']])('%j in one chunk is text that was meant for something else', (text) => {
    const offered = press(onSprint('web'), 'enter').state;
    const armed = after(offered, { type: 'armed', focus: offered.focus }).state;
    const strokes = Array.from(text, (key) => (key === '\r' ? { key: 'enter' } : { text: key }));
    const { state, went } = after(armed, { type: 'keys', strokes, room: overviewRoom });
    expect([state.focus, went]).toEqual([armed.focus, []]);
  });

  it('keys of one read do each what they do, also with an Enter among them, until a text is typed', () => {
    const read = (...strokes: ReturnType<typeof typed>): OverviewEvent => ({
      type: 'keys',
      strokes,
      areLines: true,
      room: overviewRoom,
    });
    const looked = after(sprints, read(...typed('G', 'enter')));
    expect(looked).toEqual(press(sprints, 'G', 'enter'));
    expect(looked.went).not.toEqual([]);
    const { state, went } = after(sprints, read(...typed('/web', 'enter'), ...typed('r', 'enter')));
    expect([state.focus, state.filter.text, went]).toEqual([{ at: 'filter' }, 'web r', []]);
  });

  it('what was armed is what is shown, and nothing that came before it', () => {
    const first = press(onSprint('web'), 'enter').state;
    const again = press(first, 'escape', 'enter').state;
    expect(after(again, { type: 'armed', focus: first.focus }).state.focus).toMatchObject({ isArmed: false });
  });

  it.each(['escape', 'n', 'q'])('%s takes the offer back, and leaves nothing', (key) => {
    const { state, went } = press(onSprint('web'), 'enter', key);
    expect([state.focus.at, went]).toEqual(['lists', []]);
  });

  it('w looks at it instead, where there is something to look at', () => {
    expect(press(onSprint('web'), 'enter', 'w').went).toEqual([{ type: 'enter', sprint: 'web' }]);
    expect(press(onSprint('api'), 'enter', 'w').went).toEqual([]);
    expect(press(onSprint('web'), 'right').went).toEqual([{ type: 'enter', sprint: 'web' }]);
    expect(press(onSprint('api'), 'right').went).toEqual([]);
  });

  it('r offers to run what has failed, too, and nothing that somebody runs or that is over', () => {
    const focusAfterR = (id: string) => press(onSprint(id), 'r').state.focus.at;
    expect(['search', 'web', 'api', 'checkout', 'old'].map(focusAfterR)).toEqual([
      'start',
      'start',
      'start',
      'lists',
      'lists',
    ]);
    expect(press(inbox, 'r').state.focus.at).toBe('lists');
  });

  it.each([['q'], ['ctrl+c'], ['/', 'ctrl+c'], ['?', 'ctrl+c']])('%j %j leave', (...names) => {
    expect(press(sprints, ...names).went).toEqual([{ type: 'leave' }]);
  });

  it('/ leaves what has the text in it, in both lists, and Esc shows all again', () => {
    const typedText = press(sprints, '/', 'W', 'e', 'b').state;
    const shown = (state: OverviewState) => [
      shownRows(state).map(({ sprint }) => sprint.id),
      shownInbox(state).map(({ id }) => id),
    ];
    expect(shown(typedText)).toEqual([['web'], ['q-drop']]);
    expect(press(typedText, 'q').went).toEqual([]);
    expect(shown(press(typedText, 'backspace', 'backspace', 'backspace').state)[0]).toHaveLength(5);
    const kept = press(typedText, 'enter').state;
    expect([kept.focus.at, shown(kept)]).toEqual(['lists', [['web'], ['q-drop']]]);
    expect(shown(press(kept, 'escape').state)[0]).toHaveLength(5);
    expect(shown(press(typedText, 'escape').state)[0]).toHaveLength(5);
    const pasted = after(press(sprints, '/').state, { type: 'paste', text: 'may\ndestroy\u202e' }).state;
    expect(shown(pasted)).toEqual([[], ['q-drop']]);
    expect(after(sprints, { type: 'paste', text: 'web' }).state.filter.text).toBe('');
    const full = after(press(sprints, '/').state, { type: 'paste', text: 'w'.repeat(65_536) }).state;
    for (const { state } of [press(full, 'x'), after(full, { type: 'paste', text: 'x' })]) {
      expect(state.filter).toEqual(full.filter);
      expect(state.notice?.text).toBe('Too long: 65,536 characters fit');
    }
  });

  it('? lists the keys, which scroll and go', () => {
    const opened = press(sprints, '?', 'down', 'down').state;
    expect(opened.focus).toMatchObject({ at: 'help', top: 2 });
    expect(press(opened, 'up').state.focus).toMatchObject({ at: 'help', top: 1 });
    expect(press(opened, 'pagedown').state.focus).toMatchObject({ at: 'help', top: 5 });
    expect(press(opened, 'pageup').state.focus).toMatchObject({ at: 'help', top: 0 });
    expect(press(opened, 'q')).toMatchObject({ state: { focus: { at: 'lists' } }, went: [] });
    const typed = press(opened, '/', ...'run it'.split('')).state;
    expect(typed.focus).toMatchObject({ at: 'help', top: 0, find: { text: 'run it' } });
    expect(press(typed, 'escape', 'escape').state.focus).toEqual({ at: 'lists' });
    const listed = ({ focus }: OverviewState) => (focus.at === 'help' ? overviewHelp(focus) : []);
    const named = listed(opened).flatMap(({ keys }) => keys.map(([name]) => name));
    expect(named).toEqual(expect.arrayContaining(['Enter', 'r', '/', 'Tab', 'q, ^C']));
    const titles = (state: OverviewState) => listed(state).map(({ title }) => title);
    expect(titles(opened)).toEqual(['In both lists']);
    expect(titles(press(opened, '/', ...'look at it'.split('')).state)).toEqual(['Before a sprint is run']);
    const asked = press(onSprint('web'), 'enter', '?').state;
    expect(titles(asked)).toEqual(['Before a sprint is run', 'In both lists']);
  });

  it('are named once in the hints, by what they do now', () => {
    const of = (state: OverviewState) => overviewHints(state, overviewRoom).map((hint) => hint.join(' '));
    expect(of(inbox)).toEqual([
      '↑/↓ move',
      'Enter look',
      'Tab sprints',
      '/ filter',
      ': commands',
      '? help',
      'q leave',
    ]);
    expect(of(onSprint('web'))).toContain('Enter run it…');
    expect(of(onSprint('web')).filter((hint) => /Enter|run it/.test(hint))).toHaveLength(1);
    expect(of(onSprint('search'))).toEqual(expect.arrayContaining(['Enter go in', 'r run it…']));
    expect(of(press(onSprint('web'), 'enter').state)).toEqual(['w only look at it', 'Esc back']);
  });

  it('say nothing of scrolling where all keys are in sight', () => {
    const { state } = press(inbox, '?');
    const of = (helpMax: number) => overviewHints(state, { ...overviewRoom, helpMax });
    expect(of(0)).toEqual([
      ['Esc', 'back'],
      ['/', 'find'],
    ]);
    expect(of(1)).toContainEqual(['↑/↓', 'more']);
  });
});

describe('news in the overview', () => {
  const news = (over: Parameters<typeof anOverview>[0]): OverviewEvent => ({
    type: 'news',
    overview: anOverview(over),
  });

  it('leaves each cursor on what it is on, also where nobody has moved it', () => {
    const { rows, inbox: items } = anOverview();
    const worse = anItem({ id: 'q-new', risk: 'changed' });
    const { state } = after(inbox, news({ rows: rows.toReversed(), inbox: [worse, ...items] }));
    expect([pickedItem(state)?.id, rowOf({ state })]).toEqual(['q-drop', 'checkout']);
  });

  it('puts it on what has its place, where that is gone', () => {
    const { inbox: items } = anOverview();
    expect(pickedItem(after(inbox, news({ inbox: items.slice(1) })).state)?.id).toBe('q-grammar');
    const last = press(inbox, 'end').state;
    expect(pickedItem(after(last, news({ inbox: items.slice(0, 1) })).state)?.id).toBe('q-drop');
  });

  it('does not take keys away to a question that comes while they are among the sprints', () => {
    const emptied = after(inbox, news({ inbox: [] })).state;
    expect(currentArea(emptied)).toBe('sprints');
    expect(currentArea(after(emptied, news({})).state)).toBe('sprints');
  });

  it('takes an offer back when somebody else was faster', () => {
    const offered = press(onSprint('web'), 'enter').state;
    const agents = ['codex'];
    const { state } = after(
      offered,
      news({ rows: [aRow('web', { runs: { is: 'running', agents, waiting: [] } })] }),
    );
    expect(state).toMatchObject({
      focus: { at: 'lists' },
      notice: { text: 'A runner is at work on it now' },
    });
    expect(after(offered, news({})).state.focus).toEqual(offered.focus);
  });
});

it('who comes back stands where they were', () => {
  const place = placeIn(press(sprints, 'down', '/', 'e').state);
  const back = openOverview(anOverview(), { place, notice: { tone: 'ok', text: 'web completed' } });
  expect(back).toMatchObject({ ...place, focus: { at: 'lists' }, notice: { text: 'web completed' } });
  expect(press(back, 'down').state.notice).toBeUndefined();
  expect(aDangerousCall.sprint).toBe(place.sprint);
});
