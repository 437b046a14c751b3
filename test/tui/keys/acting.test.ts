import { describe, expect, it } from 'vitest';
import { hintsOf } from '../../../src/tui/keys/keymap.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { remarksOf } from '../../../src/tui/screen/remarks.ts';
import { actLines } from '../../../src/tui/text/act-lines.ts';
import { emptyBuffer as reason } from '../../../src/tui/text/text-buffer.ts';
import type { PossibleActs } from '../../../src/views/sprints/possible-acts.ts';
import { aBlockedSprint, answering, aQuestion, aSprint, room, typed } from '../../helpers/screen-views.ts';

const watching = initialState({ isOwner: true, sprint: aSprint() });

function given(state: ScreenState, ...events: ScreenEvent[]) {
  const effects: Effect[] = [];
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects: effects.filter(({ type }) => type !== 'load') };
}

const key = (name: string): ScreenEvent => ({
  type: 'keys',
  strokes: name.length === 1 ? typed(name) : typed('', name),
  room,
});
const armed = ({ focus }: ScreenState): ScreenEvent => ({ type: 'armed', focus });
/** Each key by itself. */
const press = (state: ScreenState, ...keys: string[]) => given(state, ...keys.map(key));

function possible(over: Partial<PossibleActs>): ScreenState {
  const { possible: acts } = aSprint();
  return initialState({ isOwner: true, sprint: aSprint({ possible: { ...acts, ...over } }) });
}

const hints = (state: ScreenState) =>
  hintsOf({ state, canScrollQuestion: false }, room).map(([name]) => name);

describe('cancelling the task that is picked', () => {
  it('takes X, a reason, Enter, and a y once it was seen', () => {
    const asked = press(watching, 'X', 'n', 'o', ' ', 'u', 's', 'e', 'enter');
    expect(asked.effects).toEqual([]);
    expect(asked.state.focus).toMatchObject({ at: 'act-sure', task: 'parser', isArmed: false });
    expect(remarksOf(asked.state, 80).map(({ text }) => text)).toContain('Cancel parser? y/n');
    expect(press(asked.state, 'y').effects).toEqual([]);

    const { state, effects } = given(asked.state, armed(asked.state), key('y'));
    expect(effects).toEqual([{ type: 'act', act: 'cancel', task: 'parser', reason: 'no use' }]);
    expect(state.focus).toEqual({ at: 'sprint' });
  });

  it('is not confirmed by keys that come together: they are a text that was meant for something else', () => {
    const { state } = press(watching, 'X', 'enter');
    const sure = given(state, armed(state)).state;
    expect(given(sure, { type: 'keys', strokes: typed('yes'), room })).toEqual({ state: sure, effects: [] });
    // Nor by one that comes right behind such a text.
    const pasted = given(given(sure, { type: 'paste', text: 'y' }).state, key('y'));
    expect(pasted).toMatchObject({ state: { focus: { at: 'act-sure', isArmed: false } }, effects: [] });
  });

  it('needs no reason, and takes none of blanks', () => {
    const { state } = press(watching, 'X', ' ', 'enter');
    const { effects } = given(state, armed(state), key('y'));
    expect(effects).toEqual([{ type: 'act', act: 'cancel', task: 'parser' }]);
  });

  it.each([
    ['S', 'Enter skip it…'],
    ['X', 'Enter cancel it…'],
  ])('has after %s an Enter that says what it leads to: %s', (key, name) => {
    const { state } = press(watching, key);
    const hinted = hintsOf({ state, canScrollQuestion: false }, room).map((hint) => hint.join(' '));
    expect(hinted).toContain(name);
  });

  it('is called off step by step, and the reason stays meanwhile', () => {
    const { state } = press(watching, 'X', 'a', 'enter', 'n');
    expect(state.focus).toMatchObject({ at: 'act', reason: { text: 'a' } });
    expect(press(state, 'escape').state.focus).toEqual({ at: 'sprint' });
    expect(press(watching, 'X', 'enter', 'escape', 'escape')).toMatchObject({
      state: { focus: { at: 'sprint' } },
      effects: [],
    });
  });

  it('is not interrupted by a question that comes up, nor by the end of one', () => {
    const { state } = press(watching, 'X', 'a');
    const news = (sprint = aSprint()) => ({ type: 'news', sprint, outputVersion: 0, closed: [] }) as const;
    const asked = given(state, news(aBlockedSprint(aQuestion()))).state;
    expect(asked).toMatchObject({ current: 'q-1', focus: { at: 'act', reason: { text: 'a' } } });
    expect(given(asked, news()).state).toMatchObject({ current: undefined, focus: { at: 'act' } });
  });
});

it('S leaves a task out, in the same way', () => {
  const { state } = press(watching, 'down', 'S', 'enter');
  const { effects } = given(state, armed(state), key('y'));
  expect(effects).toEqual([{ type: 'act', act: 'skip', task: 'docs' }]);
});

it('R retries the task that is picked, at once', () => {
  const failed = possible({ tasks: new Map([['parser', ['retry']]]) });
  expect(press(failed, 'R').effects).toEqual([{ type: 'act', act: 'retry', task: 'parser' }]);
});

it('P pauses the sprint, and resumes it when it is paused, wherever one is', () => {
  expect(press(watching, 'P').effects).toEqual([{ type: 'act', act: 'pause' }]);
  expect(press(watching, 'tab', 'P').effects).toEqual([{ type: 'act', act: 'pause' }]);
  expect(press(possible({ sprint: ['resume'] }), 'P').effects).toEqual([{ type: 'act', act: 'resume' }]);
});

it('says how P gets to a sprint that is paused, where the keyboard is elsewhere', () => {
  const { possible: acts } = aSprint();
  const paused = { detail: 'paused', possible: { ...acts, sprint: ['resume'] } } as const;
  const asked = answering(aQuestion());
  const typing = press({ ...asked, sprint: { ...asked.sprint, ...paused } }, 'n', 'o').state;
  const told = (state: ScreenState) => remarksOf(state).map(({ text }) => text);
  expect(told(typing)).toContain('The sprint is paused: no task starts. Esc, then P resumes it');
  expect(press(typing, 'P').effects).not.toContainEqual({ type: 'act', act: 'resume' });
  const left = press(typing, 'escape');
  expect(told(left.state)).toContain('The sprint is paused: no task starts. P resumes it');
  expect(press(left.state, 'P').effects).toContainEqual({ type: 'act', act: 'resume' });
  const over = { ...left.state, focus: { at: 'over', top: 0 } } as const;
  expect(told(over)).toContain('The sprint is paused: no task starts. Enter, then P resumes it');
  expect(press(over, 'enter', 'P').effects).toContainEqual({ type: 'act', act: 'resume' });
});

it('what the machines do not allow is no hint; its key asks why, and decides nothing, whatever follows', () => {
  const over = possible({ sprint: [], tasks: new Map() });
  expect(hints(watching)).toEqual(expect.arrayContaining(['P', 'S', 'X']));
  expect(hints(watching)).not.toContain('R');
  for (const name of ['P', 'S', 'X']) expect(hints(over)).not.toContain(name);

  const { effects } = press(over, 'X', 'enter', 'y', 'S', 'R', 'P');
  expect(effects).toEqual([
    { type: 'why-not', act: 'cancel', task: 'parser' },
    { type: 'why-not', act: 'skip', task: 'parser' },
    { type: 'why-not', act: 'retry', task: 'parser' },
    { type: 'why-not', act: 'pause' },
  ]);
});

it('what became of it is said', () => {
  const notice = { tone: 'ok', text: 'Resumed' } as const;
  expect(given(watching, { type: 'told', notice }).state.notice).toEqual(notice);
});

it('no key decides while something is typed, nor about a task behind the question that is shown', () => {
  const typing = answering(aQuestion());
  expect(press(typing, 'X', 'S', 'R', 'P').effects).toEqual([]);
  const left = press(typing, 'escape').state;
  expect(press(left, 'X', 'S', 'R')).toMatchObject({ state: { focus: { at: 'sprint' } }, effects: [] });
});

it('the shell of an agent may pause, and do nothing else of it', () => {
  const tasks = new Map([['parser', ['retry', 'skip', 'cancel'] as const]]);
  const sprint = aSprint({ possible: { sprint: ['pause'], tasks } });
  const state = initialState({ isOwner: false, mayApprove: false, sprint });
  const paused = { ...state, sprint: { ...sprint, possible: { sprint: ['resume'] as const, tasks } } };
  for (const name of ['R', 'S', 'X']) {
    expect(hints(state)).not.toContain(name);
    const refused = press(state, name);
    expect(refused.effects).toEqual([]);
    expect(refused.state.focus).toEqual({ at: 'sprint' });
    expect(refused.state.notice?.text).toContain('A human decides this');
  }
  expect(press(state, 'P').effects).toEqual([{ type: 'act', act: 'pause' }]);
  expect(press(paused, 'P').effects).toEqual([]);
});

describe('a note to the agent of the task that is picked', () => {
  it('is typed after M, and sent with Enter', () => {
    const { state, effects } = press(watching, 'M', 'g', 'o', 'alt+enter', 'o', 'n', 'enter');
    expect(effects).toEqual([{ type: 'act', act: 'note', task: 'parser', reason: 'go\non' }]);
    expect(state.focus).toEqual({ at: 'sprint' });
  });

  it('is said to be unheard until its agent has it', () => {
    const { tasks } = aSprint();
    const unheard = tasks.map((task) => (task.id === 'parser' ? { ...task, unheard: 1 } : task));
    const texts = (over: object) =>
      remarksOf(initialState({ isOwner: true, sprint: aSprint(over) }), 80).map(({ text }) => text);
    expect(texts({ tasks: unheard })).toEqual(['1 note to its agent, not heard yet']);
    expect(texts({})).toEqual([]);
  });

  it('is not sent without words, nor where nobody would be told', () => {
    const empty = press(watching, 'M', ' ', 'enter');
    expect(empty.effects).toEqual([]);
    expect(empty.state).toMatchObject({ focus: { at: 'act' }, notice: { tone: 'warning' } });
    expect(press(watching, 'up', 'M').effects).toEqual([{ type: 'why-not', act: 'note', task: 'schema' }]);
  });
});

describe('the sprint', () => {
  it('is cancelled with C, a reason, Enter, and a y once it was seen', () => {
    const asked = press(watching, 'C', 'n', 'o', 'enter');
    expect(remarksOf(asked.state, 80).map(({ text }) => text)).toContain('Cancel the whole sprint? y/n');
    expect(press(asked.state, 'y').effects).toEqual([]);
    const { effects } = given(asked.state, armed(asked.state), key('y'));
    expect(effects).toEqual([{ type: 'act', act: 'cancel', task: undefined, reason: 'no' }]);
    expect(press(possible({ sprint: [] }), 'C').effects).toEqual([{ type: 'why-not', act: 'cancel' }]);
  });

  const attached = initialState({ isOwner: false, sprint: aSprint() });

  it('is stopped with T: here as with q, from elsewhere after a y once it was seen', () => {
    expect(press(watching, 'T').state.focus.at).toBe('stop');
    const asked = press(attached, 'T');
    expect(remarksOf(asked.state, 80).map(({ text }) => text)).toContain('Stop the run? y/n');
    expect(press(asked.state, 'y').effects).toEqual([]);
    const { effects } = given(asked.state, armed(asked.state), key('y'));
    expect(effects).toEqual([{ type: 'act', act: 'stop', task: undefined }]);
    expect(press(asked.state, 'n').state.focus).toEqual({ at: 'sprint' });
  });

  it('is run with B, where the screen has no run of it, after a y once it was seen', () => {
    expect(press(watching, 'B').effects).toEqual([]);
    const pressed = press(attached, 'B');
    expect(pressed).toMatchObject({ effects: [{ type: 'ask-start' }], state: { focus: { at: 'sprint' } } });
    const asked = given(pressed.state, { type: 'startable' }).state;
    expect(remarksOf(asked, 80).map(({ text }) => text)).toContain('Run the sprint here? y/n');
    expect(press(asked, 'y').effects).toEqual([]);
    expect(given(asked, armed(asked), key('y'))).toMatchObject({
      effects: [{ type: 'start' }],
      state: { focus: { at: 'sprint' } },
    });
    expect(given(asked, armed(asked), key('n')).state.focus).toEqual({ at: 'sprint' });
  });

  it('is not run by words that go on for long: each letter has what is asked seen anew', () => {
    const { state: asked } = given(press(attached, 'B').state, { type: 'startable' });
    for (const word of ['uy', 'y', 'ay']) {
      const typing = press(asked, ...Array.from(word)).state;
      expect(given(typing, armed(asked), key('y')).effects).toEqual([]);
      const seen = given(typing, armed(typing)).state;
      const on = press(seen, 'x', 'y');
      expect(on).toMatchObject({ effects: [], state: { focus: { at: 'act-sure', isArmed: false } } });
    }
  });

  it('is none of that in the shell of an agent', () => {
    const agent = initialState({ isOwner: false, mayApprove: false, sprint: aSprint() });
    for (const name of ['M', 'C', 'T', 'B']) {
      const { state, effects } = press(agent, name);
      expect(effects).toEqual([]);
      expect(state.notice?.text).toContain('A human decides this');
    }
  });
});

describe('where nobody runs the sprint', () => {
  const agent = {
    runId: 'r-1',
    pid: 7,
    name: 'codex',
    isKnown: true,
    startedAt: '2026-01-31T11:59:00.000Z',
    connectedAt: undefined,
  };
  const tasks = aSprint().tasks.map((task) => (task.id === 'parser' ? { ...task, agent } : task));
  const attached = initialState({ isOwner: false, sprint: aSprint({ tasks }) });
  const seen = (hasRunner: boolean, ...gone: string[]) =>
    given(attached, { type: 'processes', processes: { hasRunner, gone: new Set(gone) } }).state;
  const working = 'parser';

  it('B is the first hint, and what only a runner would hear is none; each key still does what it says', () => {
    expect(hints(seen(true))).toEqual(expect.arrayContaining(['P', 'M']));
    expect(hints(seen(true))).not.toContain('B');
    const left = seen(false, working);
    expect(hints(left)[0]).toBe('B');
    for (const name of ['P', 'M']) expect(hints(left)).not.toContain(name);
    expect(press(left, 'P').effects).toEqual([{ type: 'act', act: 'pause' }]);
    expect(press(left, 'T').state.focus).toMatchObject({ at: 'act-sure', act: 'stop' });
  });

  it('B is no hint where it waits in the queue: a worker will run it', () => {
    const left = seen(false, working);
    const queued = { ...left, sprint: { ...left.sprint, queuedAt: '2026-01-31T11:59:00.000Z' } };
    expect(hints(queued)).not.toContain('B');
  });

  it('an agent that was left at work hears a note, and is counted; one that was killed is not', () => {
    expect(hints(seen(false))).toContain('M');
    const ended = (state: ScreenState) => actLines({ act: 'stop', task: undefined, reason }, state, 80)[0];
    expect(ended(seen(false))).toBe('1 agent is stopped.');
    expect(ended(seen(false, working))).toBe('Questions stay open, and the next run goes on.');
  });

  it('what a question or a call waits for goes before B', () => {
    const asked = initialState({ isOwner: false, sprint: aBlockedSprint(aQuestion()) });
    const { state } = given(press(asked, 'escape').state, {
      type: 'processes',
      processes: { hasRunner: false, gone: new Set() },
    });
    expect(hints({ ...state, focus: { at: 'sprint' } })[0]).not.toBe('B');
  });

  it('B says all that it starts', () => {
    const asked = given(seen(false, working), {
      type: 'startable',
      starts: [
        'Its agents start at once: claude (clifford.json)',
        'The last run was begun as: clifford run demo --agent codex',
      ],
    }).state;
    if (asked.focus.at !== 'act-sure') throw new Error('nothing is asked');
    expect(actLines(asked.focus, asked, 80)).toEqual([
      'Its agents start at once: claude (clifford.json)',
      'The last run was begun as: clifford run demo --agent codex',
    ]);
  });
});

it('a run that is being stopped is not to be stopped with q again', () => {
  const stopping = { ...watching, isStopping: true };
  const named = (state: ScreenState) =>
    hintsOf({ state, canScrollQuestion: false }, room).map((hint) => hint.join(' '));
  expect(named(watching)).toContain('q stop');
  expect(named(stopping)).not.toContain('q stop');
  expect(press(stopping, 'q')).toEqual({ state: stopping, effects: [] });
});
