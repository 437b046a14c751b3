import { stillWaitsText } from '../../../src/tui/past/past-remarks.ts';
import { describe, expect, it } from 'vitest';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import type { ArrivedAt, PastMoment } from '../../../src/tui/past/past.ts';
import { hintsOf } from '../../../src/tui/keys/keymap.ts';
import { remarksOf } from '../../../src/tui/screen/remarks.ts';
import { remarkRows } from '../../../src/tui/text/remark.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import {
  aBlockedSprint,
  answering,
  aQuestion,
  aSprint,
  aSummary,
  aTask,
  room,
  typed,
} from '../../helpers/screen-views.ts';

const index = new HistoryIndex();
const watching = initialState({ isOwner: true, sprint: aSprint() });

function moment(version: number): PastMoment {
  const of = { title: 'Task started', text: '', mark: undefined, task: 'schema' };
  return { version, length: 7, at: version * 1_000, afterMs: 1_000, ...of };
}

/** The arrival at a moment: by default nobody asked then. */
function arrival(version: number, over: Partial<ArrivedAt> = {}): ScreenEvent {
  const arrived = {
    moment: moment(version),
    sprint: aSprint({ version }),
    index,
    outcomes: new Map<string, string>(),
    found: undefined,
    isBeginning: false,
  };
  return { type: 'moment', arrived: { ...arrived, ...over } };
}

function given(state: ScreenState, ...events: ScreenEvent[]) {
  const effects: Effect[] = [];
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects: effects.filter(({ type }) => type !== 'load') };
}

function press(state: ScreenState, ...keys: string[]) {
  const events = keys.map((key): ScreenEvent => ({
    type: 'keys',
    strokes: key.length === 1 ? typed(key) : typed('', key),
    room,
  }));
  return given(state, ...events);
}

const past = given(watching, arrival(4)).state;
const travels = (state: ScreenState, ...keys: string[]) =>
  press(state, ...keys).effects.flatMap((effect) => (effect.type === 'travel' ? [effect.travel] : []));

describe('from now', () => {
  it.each([
    ['left', { to: 'event', step: -1 }],
    [',', { to: 'event', step: -1 }],
    ['shift+left', { to: 'mark', step: -1 }],
    ['{', { to: 'mark', step: -1 }],
  ])('%s leads into the past', (key, travel) => {
    expect(travels(watching, key)).toEqual([travel]);
  });

  it.each(['right', '.', 'shift+right', '}', ' ', '<', '>', '^', '$', 't', 'd', 'y', 'L', '+'])(
    '%s leads nowhere',
    (key) => {
      expect(press(watching, key)).toEqual({ state: { ...watching, notice: undefined }, effects: [] });
    },
  );
});

const anAgent = {
  runId: 'run-1',
  pid: 7,
  name: 'opencode',
  isKnown: true,
  startedAt: '2026-01-31T11:59:00.000Z',
  connectedAt: undefined,
};

it('from the summary of a run the past is one key away, and the summary is there again after L', () => {
  const over = given(watching, { type: 'over', summary: aSummary() }).state;
  expect(travels(over, 'left')).toEqual([{ to: 'event', step: -1 }]);
  const then = given(over, arrival(4)).state;
  expect(then.focus.at).toBe('sprint');
  expect(press(then, 'L').state.focus.at).toBe('over');
});

it('there is no past before the second event', () => {
  const begun = initialState({ isOwner: true, sprint: aSprint({ version: 1 }) });
  expect(travels(begun, 'left', '{')).toEqual([]);
});

it('the keys that are listed from the summary of a run lead back to it', () => {
  const over = given(watching, { type: 'over', summary: aSummary() }).state;
  expect(press(over, '?', 'down', 'escape').state.focus.at).toBe('over');
  expect(press(over, '?', 'ctrl+c').state.focus.at).toBe('over');
  expect(press(watching, '?', 'escape').state.focus.at).toBe('sprint');
});

describe('in the past', () => {
  it.each([
    ['left', { to: 'event', step: -1 }],
    ['right', { to: 'event', step: 1 }],
    ['.', { to: 'event', step: 1 }],
    ['}', { to: 'mark', step: 1 }],
    ['shift+left', { to: 'mark', step: -1 }],
    ['<', { to: 'part', step: -10 }],
    ['>', { to: 'part', step: 10 }],
    ['^', { to: 'first' }],
    ['$', { to: 'last' }],
  ])('%s goes to another time', (key, travel) => {
    expect(travels(past, key)).toEqual([travel]);
  });

  it('names first what stops it and changes its speed, while it is played', () => {
    const there = given(watching, arrival(3)).state;
    const firstOf = (state: ScreenState) =>
      hintsOf({ state, canScrollQuestion: false }, { helpMax: 0 })
        .slice(0, 3)
        .map(([keys]) => keys);
    expect(firstOf(there)).toEqual(['←/→', 'L', '⇧←/⇧→']);
    const { state } = press(there, ' ');
    expect(firstOf(state)).toEqual(['Space', '+/-', '←/→']);
    expect(press(state, 'left').effects).toContainEqual({
      type: 'travel',
      travel: { to: 'event', step: -1 },
    });
  });

  it('a time that is typed is gone to', () => {
    expect(travels(past, 't', '1', '4', ':', '5', '3', 'enter')).toEqual([{ to: 'place', text: '14:53' }]);
    expect(travels(past, 't', 'enter')).toEqual([]);
    const left = press(past, 't', '9', 'escape');
    expect([left.state.focus.at, left.effects]).toEqual(['sprint', []]);
    expect(remarksOf(press(past, 't', '4', '2').state)[0]?.text).toMatch(/^Go to event or time: 42/);
  });

  it('f asks for words, and finds events that have them', () => {
    const key = 'f';
    const words = (...keys: string[]) => travels(past, key, ...keys);
    expect(words('a', ' ', 'b', 'enter')).toEqual([{ to: 'words', words: 'a b' }]);
    expect([words('enter'), words('a', 'escape')]).toEqual([[], []]);
    expect(remarksOf(press(past, key, 'a').state)[0]?.text).toBe('Find events: a▏');
  });

  it('goes to what was found, steps through that alone where it is wanted, and forgets it', () => {
    const then = given(past, arrival(4, { found: { words: 'a b', versions: [2, 4, 7] } })).state;
    const told = (state: ScreenState) => remarksOf(state).map(({ text }) => text);
    expect(told(then)).toEqual(['◆ 2 of 3 events with: a b']);
    expect(travels(then, 'n', 'N', 'left')).toEqual([
      { to: 'found', step: 1 },
      { to: 'found', step: -1 },
      { to: 'event', step: -1 },
    ]);
    const sifted = press(then, 'F').state;
    expect(told(sifted)).toEqual(['◆ 2 of 3 events with: a b (only these are steps)']);
    expect(travels(sifted, 'right', ',')).toEqual([
      { to: 'found', step: 1 },
      { to: 'found', step: -1 },
    ]);
    expect(travels(sifted, 'F', 'right')).toEqual([{ to: 'event', step: 1 }]);
    const forgotten = press(sifted, 'escape');
    expect(forgotten.effects).toEqual([{ type: 'travel', travel: { to: 'words', words: '' } }]);
    expect([told(forgotten.state), travels(forgotten.state, 'n', 'F', 'right')]).toEqual([
      [],
      [{ to: 'event', step: 1 }],
    ]);
  });

  it('leaves n to a pane that keys move in', () => {
    const found = { words: 'a', versions: [1] };
    const inPane = press(given(past, arrival(4, { found })).state, 'tab').state;
    expect(travels(inPane, 'n')).toEqual([]);
    expect(press(inPane, 'f').state.focus.at).toBe('goal');
  });

  it('stops playing where other events become the steps', () => {
    const found = { words: 'a', versions: [1] };
    const playing = press(given(past, arrival(4, { found })).state, ' ').state;
    expect(press(playing, 'F')).toMatchObject({
      effects: [{ type: 'play', speed: undefined }],
      state: { past: { isPlaying: false } },
    });
  });

  it('stops playing where it is moved by hand', () => {
    const playing = press(past, ' ').state;
    const moved = press(playing, 'left').effects.map(({ type }) => type);
    expect(moved).toEqual(['play', 'travel']);
    expect(press(playing, 't', '2', 'enter').effects.map(({ type }) => type)).toEqual(['play', 'travel']);
  });

  it('plays and stops, faster and slower, and stops where it is moved by hand or ends', () => {
    const playing = press(past, ' ');
    expect(playing.effects).toEqual([{ type: 'play', speed: 10 }]);
    expect(press(playing.state, '+', '+').effects.at(-1)).toEqual({ type: 'play', speed: 100 });
    expect(press(playing.state, '-').effects).toEqual([{ type: 'play', speed: 5 }]);
    expect(press(past, '+').effects).toEqual([]);
    expect(press(playing.state, ' ').effects).toEqual([{ type: 'play', speed: undefined }]);
    expect(press(playing.state, 'left').state.past?.isPlaying).toBe(false);
    expect(given(playing.state, { type: 'played' }).state.past?.isPlaying).toBe(false);
  });

  it('compares two moments, and forgets the first with Esc', () => {
    const marked = press(past, 'd');
    expect([marked.effects, marked.state.past?.marked]).toEqual([[], 4]);
    const at6 = given(marked.state, arrival(6)).state;
    expect(press(at6, 'd').effects).toEqual([{ type: 'compare', versions: [4, 6] }]);
    const told = given(at6, { type: 'compared', from: 4, to: 6, changes: ['parser attempt 1 → 2'] }).state;
    expect(remarksOf(told).map(({ text }) => text)).toEqual([
      'From event 4 to event 6:',
      '  parser attempt 1 → 2',
    ]);
    expect(given(told, arrival(5)).state.past?.changes).toBeUndefined();
    expect(press(at6, 'escape').state.past?.marked).toBeUndefined();
  });

  it('lists all that has changed in place of the panes, where it is more than one thing', () => {
    const changes = Array.from({ length: 30 }, (_, at) => `change ${at + 1}`);
    const marked = given(press(past, 'd').state, arrival(6)).state;
    const told = given(marked, { type: 'compared', from: 4, to: 6, changes }).state;
    const rowsIn = (most: number) => remarkRows(remarksOf(told), { columns: 80, most });
    expect(rowsIn(8)[0]?.text).toBe('From event 4 to event 6: 30 changes, d lists them');
    expect(rowsIn(31)[0]?.text).toBe('From event 4 to event 6: 30 changes');
    const { state, effects } = press(told, 'd');
    expect([state.focus.at, effects]).toEqual(['result', []]);
    expect(state.palette.result?.title).toBe('From event 4 to event 6');
    expect(state.palette.result?.text.split('\n')).toEqual(changes);
    // They leave room for what a key is answered with.
    expect(remarksOf(press(told, 'R').state)[0]?.text).toMatch(/^This is the past/);
    expect(press(state, 'escape')).toMatchObject({
      state: { focus: { at: 'sprint' }, past: { marked: 4 } },
      effects: [],
    });
  });

  it.each(['R', 'P', 'S', 'X', 'M', 'B', 'T', 'C', 'i'])('decides nothing with %s, and says so', (key) => {
    const { state, effects } = press(past, key);
    expect([state.focus.at, effects]).toEqual(['sprint', []]);
    expect(remarksOf(state).map(({ text }) => text)).toEqual([
      'This is the past, in which nothing is decided: L leads back to now',
    ]);
  });

  it('names the way back to now first, also where the sprint is over', () => {
    const named = (state: ScreenState) =>
      hintsOf({ state, canScrollQuestion: false }, room).map(([key]) => key);
    expect(named(past).slice(0, 2)).toEqual(['←/→', 'L']);
    const over = given(
      initialState({ isOwner: true, sprint: aSprint({ state: 'done', detail: 'completed' }) }),
      arrival(4),
    ).state;
    expect(named(over).slice(0, 2)).toEqual(['←/→', 'L']);
  });

  it.each(['t', 'g'])('%s asks where to go', (key) => {
    expect(press(past, key).state).toMatchObject({ focus: { at: 'goal' }, past: { asks: 'place' } });
  });

  it('copies the command that opens the moment', () => {
    expect(press(past, 'y').effects).toEqual([{ type: 'copy-moment' }]);
  });

  it('shows the task that something happened to, until one is picked', () => {
    const loads: unknown[] = [];
    const step = (state: ScreenState, event: ScreenEvent) =>
      stepScreen(state, event, (effect) => {
        if (effect.type === 'load') loads.push([effect.task, effect.wanted.version]);
      });
    const then = step(watching, arrival(4));
    expect(loads).toEqual([['schema', '@4']]);
    // One at a time: the next when it was read.
    const later = step(then, arrival(5));
    expect(loads).toHaveLength(1);
    const content = { lines: () => [], empty: '' };
    step(later, { type: 'loaded', loaded: { key: 'then output schema', version: '@4', content } });
    expect(loads.at(-1)).toEqual(['schema', '@5']);
    step(later, { type: 'keys', strokes: typed('', 'end'), room });
    expect(loads.at(-1)).toEqual(['docs', '@5']);
  });
});

describe('what goes on meanwhile', () => {
  const works = aSprint({ tasks: [aTask({ id: 'parser', state: 'active', agent: anAgent })] });
  const started = given(initialState({ isOwner: true, sprint: works }), arrival(1)).state;

  it('is what Ctrl+C asks about', () => {
    const asked = press(started, 'ctrl+c');
    expect([asked.effects, asked.state.focus.at]).toEqual([[], 'stop']);
    expect(remarksOf(asked.state)[0]?.text).toBe('Ctrl+C again stops 1 agent');
  });

  it('ends unseen, and is summed up after the way back', () => {
    const over = given(started, { type: 'over', summary: aSummary() }).state;
    expect(over.focus.at).toBe('sprint');
    expect(press(over, 'escape').state.focus.at).toBe('sprint');
    expect(press(over, 'R').effects).toEqual([]);
    expect(press(over, 'L').state.focus.at).toBe('over');
  });

  it('is not left for a moment that comes late, while the person types', () => {
    const typing = answering(aQuestion());
    expect(given(typing, arrival(3)).state).toBe(typing);
  });
});

describe('questions of the past', () => {
  const asked = aBlockedSprint(aQuestion());
  const then = given(
    watching,
    arrival(4, { sprint: asked, outcomes: new Map([['q-1', 'ada answered']]) }),
  ).state;

  it('take no key', () => {
    expect(then.current).toBe('q-1');
    for (const key of ['i', 'enter', 'ctrl+r', 'ctrl+x', 'y', 'n'])
      expect(press(then, key).effects.filter(({ type }) => type !== 'copy-moment')).toEqual([]);
    expect(press(then, 'i').state.focus.at).toBe('sprint');
    expect(given(then, { type: 'paste', text: 'an answer' }).state.drafts.size).toBe(0);
  });

  it('are not those of now: the one that was shown there is shown again', () => {
    const two = given(answering(aQuestion(), aQuestion({ id: 'q-2' })), {
      type: 'keys',
      strokes: typed('', 'tab', 'escape'),
      room,
    }).state;
    expect(two.current).toBe('q-2');
    const back = press(given(two, arrival(2, { sprint: asked })).state, 'L').state;
    expect([back.current, back.focus.at]).toEqual(['q-2', 'arming']);
    const answered = { type: 'news', sprint: asked, outputVersion: 0, closed: [] } as const;
    expect(press(given(two, arrival(2), answered).state, 'L').state.current).toBe('q-1');
  });

  it('leave a draft of now as it is', () => {
    const drafted = press(answering(aQuestion()), 'a', 'b', 'escape').state;
    const back = press(given(drafted, arrival(2)).state, 'L').state;
    expect(back.drafts.get('q-1')?.text).toBe('ab');
    expect(back.focus.at).toBe('arming');
  });
});

describe('the present', () => {
  it('says in one place that a question of the past waits now, too, and that others do', () => {
    const asked = aBlockedSprint(aQuestion());
    const two = aBlockedSprint(aQuestion(), aQuestion({ id: 'q-2' }));
    const said = (present: typeof asked) => {
      const { state } = given(
        { ...answering(...present.open), focus: { at: 'sprint' } },
        arrival(4, { sprint: asked }),
      );
      return [...remarksOf(state).map(({ text }) => text), state.past && stillWaitsText(state.past)];
    };
    expect(said(asked)).toEqual(['It waits now, too: L goes there']);
    expect(said(two)).toEqual(['It waits now, too, and so does 1 other: L goes there']);
  });

  it('goes on unseen, and says when someone is needed', () => {
    const news = { type: 'news', sprint: aBlockedSprint(aQuestion()), outputVersion: 3, closed: [] } as const;
    const { state } = given(past, news);
    expect(state.sprint).toBe(past.sprint);
    expect(state.focus.at).toBe('sprint');
    expect(remarksOf(state).map(({ text }) => text)).toEqual(['1 question waits now: L goes there']);
    const back = press(state, 'L');
    expect(back.state).toMatchObject({ past: undefined, current: 'q-1', focus: { at: 'arming' } });
    expect(back.state.sprint).toBe(news.sprint);
    expect(back.effects).toEqual([{ type: 'to-now' }]);
    // The card is what a narrow screen shows then: nothing of it is decided unseen.
    expect(back.state.browsing.area).toBe('question');
  });
});
