import { describe, expect, it } from 'vitest';
import {
  listedTasks,
  placeKey,
  startOfBrowsing,
  withArea,
  type DetailRoom,
} from '../../../src/tui/screen/browsing.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { Room } from '../../../src/tui/terminal/room.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { hintsOf } from '../../../src/tui/keys/keymap.ts';
import type { PaneLine } from '../../../src/tui/panes/pane.ts';
import { helpSections } from '../../../src/tui/keys/help-sections.ts';
import { aBlockedSprint, answering, aQuestion, aSprint, room, typed } from '../../helpers/screen-views.ts';

const watching = initialState({ isOwner: true, sprint: aSprint() });

function given(state: ScreenState, ...events: ScreenEvent[]) {
  const effects: Effect[] = [];
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects };
}

/** The screen after these keys, each by itself: letters are typed, names are pressed. */
function press(state: ScreenState, keys: readonly string[], over: Partial<Room> = {}) {
  const events = keys.map((key): ScreenEvent => {
    const strokes = key.length === 1 ? typed(key) : typed('', key);
    return { type: 'keys', strokes, room: { ...room, ...over } };
  });
  return given(state, ...events);
}

/** A list of ten lines, of which each can be shown whole. */
const lines = Array.from({ length: 10 }, (_, at) => ({ at: at * 10, line: { spans: [] }, whole: () => [] }));
const list: DetailRoom = {
  key: 'task parser',
  kind: 'list',
  lines,
  all: lines,
  hits: lines,
  page: 4,
  lastTop: 6,
};

describe('the list of tasks', () => {
  const picked = (...keys: string[]) => press(watching, keys, { tasksPage: 2 }).state.browsing.task;

  it('is walked from the task that is worked on, and no further than it goes', () => {
    expect(picked('down')).toBe('docs');
    expect(picked('j', 'j', 'j')).toBe('docs');
    expect(picked('up')).toBe('schema');
    expect(picked('k', 'k')).toBe('schema');
    expect(picked('end')).toBe('docs');
    expect(picked('G', 'g')).toBe('schema');
    expect(picked('end', 'home')).toBe('schema');
  });

  it('follows the work again after Esc', () => {
    expect(picked('down', 'escape')).toBeUndefined();
  });

  it('leaves out what a filter does not find in id, title or state, and goes among the rest', () => {
    const titled = { ...watching, titles: new Map([['docs', 'Write it down']]) };
    const found = (text: string, ...keys: string[]) =>
      press(titled, ['/', ...Array.from(text), 'enter', ...keys]).state;
    const listed = (state: ScreenState) => listedTasks(state).map(({ id }) => id);
    expect(listed(found('ars'))).toEqual(['parser']);
    expect(listed(found('WRITE'))).toEqual(['docs']);
    expect(listed(found('done'))).toEqual(['schema']);
    // What is listed is what is shown.
    expect(found('write').browsing.task).toBe('docs');
    expect(found('write', 'down', 'up').browsing.task).toBe('docs');
    expect(listed(found('ar', 'escape'))).toEqual(['schema', 'parser', 'docs']);
    expect(found('ar', 'escape', 'escape').browsing.task).toBeUndefined();
    expect(listed(press(titled, ['/', 'd', 'escape']).state)).toHaveLength(3);
  });

  it('is walked with the arrows while the filter is typed', () => {
    expect(press(watching, ['/', 'c', 'down']).state).toMatchObject({
      focus: { at: 'filter' },
      browsing: { task: 'docs' },
    });
  });

  it('has a filter of its own, beside that of the pane', () => {
    const { state } = press(withArea(watching, 'detail'), ['/', 'x', 'enter', 'escape', 'escape']);
    expect(listedTasks(press(watching, ['/', 'a', 'enter']).state)).toHaveLength(2);
    expect(listedTasks(state)).toHaveLength(3);
  });

  it('stays at a task that was picked, whichever is worked on', () => {
    const { state } = press(watching, ['up']);
    const sprint = aBlockedSprint();
    const news = { type: 'news', sprint, outputVersion: 1, closed: [] } as const;
    expect(given(state, news).state.browsing.task).toBe('schema');
  });
});

describe('where keys move', () => {
  const area = (state: ScreenState, ...keys: string[]) => press(state, keys).state.browsing.area;

  it('goes round with Tab', () => {
    expect(area(watching, 'tab')).toBe('detail');
    expect(area(watching, 'tab', 'tab')).toBe('tasks');
    expect(area(watching, 'v')).toBe('detail');
    const left = press(answering(aQuestion()), ['escape']).state;
    expect([left.focus.at, left.browsing.area]).toEqual(['sprint', 'question']);
    expect(area(left, 'tab')).toBe('tasks');
    expect(area(left, 'shift+tab')).toBe('detail');
    expect(area(left, 'tab', 'tab', 'tab')).toBe('question');
  });

  it('is the pane after its number, after Enter on a task, and the tasks again after Esc', () => {
    expect(area(watching, 'enter')).toBe('detail');
    const task = press(watching, ['2']);
    expect(task.state.browsing).toMatchObject({ pane: 'task', area: 'detail' });
    expect(area(task.state, 'escape')).toBe('tasks');
    expect(press(task.state, ['h']).state.browsing.pane).toBe('output');
    expect(press(watching, ['enter', 'l']).state.browsing.pane).toBe('task');
    // A number without a pane does nothing.
    expect(press(watching, ['9']).state).toBe(watching);
  });
});

describe('a list in a pane', () => {
  const start: ScreenState = withArea(
    { ...watching, browsing: { ...startOfBrowsing, pane: 'task' } },
    'detail',
  );
  const at = (...keys: string[]) => press(start, keys, { detail: list }).state.browsing.places.get(list.key);

  it('has a cursor that keys move', () => {
    expect(at('down')).toBe(10);
    expect(at('down', 'down', 'up')).toBe(10);
    expect(at('pagedown')).toBe(30);
    expect(at('end')).toBe(90);
    expect(at('end', 'down')).toBe(90);
    expect(at('end', 'home')).toBe(0);
  });

  it('keeps its cursor off the heading above it, and shows nothing whole where there is no more', () => {
    const below = lines.slice(1);
    const headed = { ...list, lines: [{ at: 0, line: { spans: [] }, isHeading: true }, ...below] };
    const changes = { ...start, browsing: { ...start.browsing, pane: 'changes' } };
    const after = (...keys: string[]) => press(changes, keys, { detail: headed }).state.browsing;
    expect(after('up').places.get(list.key)).toBe(10);
    expect(after('end', 'home', 'down').places.get(list.key)).toBe(20);
    expect(after('enter').opened.get(list.key)).toBe(10);
    const alone = { ...headed, lines: headed.lines.slice(0, 1) };
    const { browsing } = press(changes, ['down', 'enter'], { detail: alone }).state;
    expect([browsing.opened.size, browsing.places.size]).toEqual([0, 0]);
  });

  it('stops a text where its end is in sight', () => {
    const text: DetailRoom = { ...list, kind: 'text' };
    expect(press(start, ['end'], { detail: text }).state.browsing.places.get(list.key)).toBe(60);
  });

  it('keeps what a filter was typed, and goes back one step at a time', () => {
    const { state } = press(start, ['/', 'a', 'b', 'backspace', 'c', 'enter'], { detail: list });
    expect(state.focus.at).toBe('sprint');
    expect(state.browsing.filters.get('task')?.text).toBe('ac');
    const back = press(state, ['escape'], { detail: list }).state;
    expect([back.browsing.filters.get('task')?.text, back.browsing.area]).toEqual(['', 'detail']);
    expect(press(back, ['escape'], { detail: list }).state.browsing.area).toBe('tasks');
    expect(
      press(start, ['/', 'a', 'escape'], { detail: list }).state.browsing.filters.get('task')?.text,
    ).toBe('');
  });
});

it('what is pasted into a filter stays one line', () => {
  const { state } = press(withArea(watching, 'detail'), ['/']);
  const pasted = given(state, { type: 'paste', text: ' two\n lines\n' }).state;
  expect(pasted.browsing.filters.get('output')?.text).toBe('two lines');
});

describe('what a pane shows', () => {
  const task = press(watching, ['2']);
  const wanted = { key: 'task parser', version: '7' };
  const content = { lines: () => [], empty: '' };

  it('is read when it is looked at, once', () => {
    expect(task.effects).toEqual([{ type: 'load', pane: 'task', task: 'parser', wanted }]);
    expect(press(task.state, ['down', 'up']).effects).toEqual([]);
    const loaded = given(task.state, { type: 'loaded', loaded: { ...wanted, content } });
    expect(loaded.state.browsing.content).toEqual({ ...wanted, content });
    expect(loaded.effects).toEqual([]);
  });

  it('is read anew after the next event, and not twice at a time', () => {
    const news = { type: 'news', sprint: aSprint({ version: 8 }), outputVersion: 0, closed: [] } as const;
    const waiting = given(task.state, news);
    expect(waiting.effects).toEqual([]);
    const loaded = given(waiting.state, { type: 'loaded', loaded: { ...wanted, content } });
    expect(loaded.effects).toMatchObject([{ type: 'load', wanted: { version: '8' } }]);
  });

  it('stays, when another that was looked at for a moment is read to its end', () => {
    const shown = given(task.state, { type: 'loaded', loaded: { ...wanted, content } }).state;
    const back = press(shown, ['3', '2']);
    expect(back.effects.map(({ type }) => type)).toEqual(['load']);
    const other = { key: 'changes parser', version: '7', content };
    const late = given(back.state, { type: 'loaded', loaded: other });
    expect(late.state.browsing.content).toEqual({ ...wanted, content });
    expect(late.effects).toEqual([]);
  });

  it('is that of the task that was picked meanwhile', () => {
    const other = press(withArea(task.state, 'tasks'), ['up']);
    expect(other.effects).toMatchObject([{ type: 'load', task: 'schema' }]);
    const late = given(other.state, { type: 'loaded', loaded: { ...wanted, content } });
    expect(late.state.browsing.content).toBeUndefined();
  });
});

describe('the help', () => {
  it('lists the keys of the place that keys move in first', () => {
    const titles = (state: ScreenState) => helpSections({ state }).map(({ title }) => title);
    expect(titles(watching)[0]).toBe('In the list of tasks');
    expect(titles(withArea(watching, 'detail'))[0]).toBe('In the pane beside the tasks');
  });

  it('is scrolled as far as it goes, and left', () => {
    const { state } = press(watching, ['?', 'down', 'pagedown', 'up'], { helpMax: 5 });
    expect(state.focus).toMatchObject({ at: 'help', top: 4 });
    for (const key of ['?', 'escape', 'q', 'enter'])
      expect(press(state, [key]).state.focus.at).toBe('sprint');
    expect(press(watching, ['?', 'q']).effects).toEqual([]);
  });
});

describe('the hints of a pane', () => {
  const opened = { ...watching, browsing: { ...startOfBrowsing, area: 'detail', pane: 'events' } } as const;
  const said = (state: ScreenState, over: Partial<Room>) =>
    hintsOf({ state, canScrollQuestion: false }, { ...room, ...over }).map((hint) => hint.join(' '));
  const some = (of: readonly PaneLine[], over: Partial<DetailRoom> = {}): DetailRoom => ({
    ...list,
    lines: of,
    lastTop: 0,
    ...over,
  });

  it('name the arrows only where there is somewhere to go', () => {
    const move = (detail: DetailRoom | undefined) => said(opened, { detail }).includes('↑/↓ move');
    expect(move(undefined)).toBe(false);
    expect(move(some(lines))).toBe(true);
    expect(move(some(lines.slice(0, 1)))).toBe(false);
    // A heading is no place for the cursor.
    expect(move(some([{ at: 0, line: { spans: [] }, isHeading: true }, ...lines.slice(1, 2)]))).toBe(false);
    // What has no cursor scrolls, where not all of it is in sight.
    expect(move(some(lines, { kind: 'text' }))).toBe(false);
    expect(move(some(lines, { kind: 'text', lastTop: 1 }))).toBe(true);
    expect(move(some(lines, { kind: 'log' }))).toBe(false);
  });

  it('offer a line in full only where it is not shown so already', () => {
    const detail = some(lines, { key: placeKey('events', 'parser'), kind: 'history' });
    expect(said(opened, { detail })).toContain('Enter in full');
    const whole = press(opened, ['enter'], { detail }).state;
    expect(said(whole, { detail })).not.toContain('Enter in full');
    expect(said(whole, { detail })).toContain('Esc back');
  });

  it('name the arrows above a text only where it is longer than the screen', () => {
    const help = press(watching, ['?']).state;
    expect(said(help, { helpMax: 0 })).toEqual(['Esc back', '/ find']);
    expect(said(help, { helpMax: 3 })).toContain('↑/↓ more');
    const result = { ...watching, focus: { at: 'result', top: 0, back: 'sprint' } } as const;
    expect(said(result, { result: { page: 10, max: 0 } })).not.toContain('↑/↓ scroll');
    expect(said(result, { result: { page: 10, max: 1 } })).toContain('↑/↓ scroll');
  });
});
