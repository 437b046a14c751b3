import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { hintsOf } from '../../../src/tui/keys/keymap.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
import { answering, aQuestion, room, typed } from '../../helpers/screen-views.ts';
import { storeForm } from '../../helpers/store-form.ts';

const form = answering(aQuestion({ question: 'The store', questions: storeForm }));
const alone = answering(aQuestion({ questions: [storeForm[0]] }));

/** The screen after these keys, each pressed once what the last one led to was seen, and what it sends. */
function press(state: ScreenState, ...strokes: Stroke[]) {
  const effects: Effect[] = [];
  const end = strokes.reduce((now, stroke) => {
    const pressed = pressAtOnce(now, stroke);
    effects.push(...pressed.effects);
    const { focus } = pressed.state;
    return stepScreen(pressed.state, { type: 'armed', focus }, () => undefined);
  }, state);
  return { state: end, effects, at: end.forms.get('q-1')?.at ?? 0 };
}

/** The same, one chunk each, without a pause between them. */
function pressAtOnce(state: ScreenState, ...strokes: Stroke[]) {
  const effects: Effect[] = [];
  const end = strokes.reduce(
    (now, stroke) =>
      stepScreen(now, { type: 'keys', strokes: [stroke], room }, (effect) => effects.push(effect)),
    state,
  );
  return { state: end, effects, at: end.forms.get('q-1')?.at ?? 0 };
}

describe('all answers to a form', () => {
  const optional = answering(
    aQuestion({
      questions: [
        { question: 'A?', title: 'A', required: false, options: [{ label: 'x' }, { label: 'y' }] },
        { question: 'B?', title: 'B', required: false, options: [{ label: 'p' }, { label: 'q' }] },
      ],
    }),
  );
  const held = (count: number) => typed('', ...Array<string>(count).fill('enter'));
  const armed = (state: ScreenState) =>
    stepScreen(state, { type: 'armed', focus: state.focus }, () => undefined);

  it.each([
    ['Enter is held', held(30)],
    ['an option is chosen, and Enter held', [...typed('1'), ...held(30)]],
    ['Tab leads there, and Enter follows', [...typed('', 'tab', 'tab'), ...held(3)]],
  ])('are not sent before they were seen: %s', (_what, strokes) => {
    const { state, effects } = pressAtOnce(optional, ...strokes);
    expect({ effects, focus: state.focus.at, at: state.forms.get('q-1')?.at }).toEqual({
      effects: [],
      focus: 'arming',
      at: 2,
    });
    expect(pressAtOnce(armed(state), ...typed('', 'enter')).effects).toMatchObject([{ type: 'answer' }]);
  });

  it('are seen anew when one comes back to them, on a terminal of another size, and behind a text', () => {
    const seen = armed(pressAtOnce(optional, ...held(2)).state);
    expect(seen.focus).toEqual({ at: 'answer' });
    const left = pressAtOnce(seen, ...typed('', 'escape'), ...typed('i'), ...held(1));
    const room80 = { type: 'keys', room } as const;
    for (const now of [
      left.state,
      pressAtOnce(seen, ...typed('', 'tab', 'shift+tab'), ...held(1)).state,
      stepScreen(seen, { type: 'unseen' }, () => undefined),
      stepScreen(seen, { type: 'paste', text: 'y\n' }, () => undefined),
      stepScreen(seen, { ...room80, strokes: held(2) }, () => undefined),
      stepScreen(seen, { ...room80, strokes: held(1), isTogether: true }, () => undefined),
    ])
      expect(now.focus.at).toBe('arming');
    expect(left.effects).toEqual([]);
  });

  it('are not sent by the keys of one chunk that has answered', () => {
    const strokes = [...typed('1', 'enter'), ...typed('2', 'enter'), ...held(2)];
    const effects: Effect[] = [];
    stepScreen(optional, { type: 'keys', strokes, room }, (effect) => effects.push(effect));
    expect(effects).toEqual([]);
  });
});

describe('the last line', () => {
  const said = (state: ScreenState) =>
    hintsOf({ state, canScrollQuestion: false }, room).map((hint) => hint.join(' '));
  /** What there is room for on 80 columns. */
  const seen = (state: ScreenState) =>
    said(state)
      .join(' · ')
      .slice(0, 78)
      .replace(/ ·? *$/, '');

  it('of a form says which key chooses: one option, or each of several', () => {
    expect(seen(form)).toBe('Enter next · Tab others · ↑/↓ Space choose · Esc back · ^R reject · ^X dismiss');
    expect(seen(press(form, ...typed('', 'tab')).state)).toContain(' · ↑/↓ Space mark · ');
    // Of words, and where they have begun, none does.
    const named = press(form, ...typed('', 'tab', 'tab')).state;
    for (const state of [named, press(form, ...typed('x')).state])
      expect(said(state).filter((hint) => /Space|↑/.test(hint))).toEqual(
        state === named ? [] : ['↑/↓ choose'],
      );
  });

  it('where all answers are looked at has the help, and the way back', () => {
    const looking = press(form, ...typed('', 'shift+tab')).state;
    expect(seen(looking)).toBe(
      'Enter send · ? help · ↑/↓ pick · Esc back · ^R reject · ^X dismiss · ^C stop',
    );
    expect(said(press(looking, ...typed('', 'down')).state)[0]).toBe('Enter change');
  });

  it('of a question for one option has no key that marks', () => {
    expect(seen(answering(aQuestion({ options: ['a', 'b'] })))).toContain('Enter answer · ↑/↓ choose · Esc');
    expect(seen(answering(aQuestion({ options: ['a', 'b'], isMultiple: true })))).toContain('↑/↓ Space mark');
  });
});

const sent = (answers: object[]) => [{ type: 'answer', id: 'q-1', answers }];
/** Sends from where all answers are looked at. */
const answersOf = (state: ScreenState) => {
  const [effect] = press(state, ...typed('', 'tab', 'tab', 'tab', 'tab', 'enter')).effects;
  return effect?.type === 'answer'
    ? effect.answers?.filter(({ options, words }) => words ?? options.length > 0)
    : effect;
};

/** Database by its arrows, two features by Space, the name in words; the license without an answer. */
const filled = press(
  form,
  ...typed('', 'down', 'down', 'enter'),
  ...typed('', 'down', ' ', 'down', 'down', ' ', 'enter'),
  ...typed('till', 'enter'),
  ...typed('', 'enter'),
);

describe('a form', () => {
  it('is answered a question after the other, looked at, and sent as a whole', () => {
    expect(filled).toMatchObject({ at: 4, effects: [] });
    expect(press(filled.state, ...typed('', 'enter')).effects).toEqual(
      sent([
        { question: 0, options: [1] },
        { question: 1, options: [0, 2] },
        { question: 2, options: [], words: 'till' },
        { question: 3, options: [] },
      ]),
    );
  });

  it('chooses nothing by itself, not what is recommended', () => {
    const { state, effects, at } = press(form, ...typed('', 'enter'));
    expect({ effects, at }).toEqual({ effects: [], at: 0 });
    expect(state.notice?.text).toBe('Choose an option, or type an answer first. Tab goes on without');
  });

  it('of one question is sent by its answer', () => {
    expect(press(alone, ...typed('', 'down', 'enter')).effects).toEqual(
      sent([{ question: 0, options: [0] }]),
    );
  });

  it('is not sent while a question that has to be answered is not: it is shown then', () => {
    const { state, effects, at } = press(form, ...typed('', 'tab', 'tab', 'tab', 'tab', 'enter'));
    expect({ effects, at }).toEqual({ effects: [], at: 0 });
    expect(state.notice?.text).toContain('Choose an option, or type an answer first');
  });

  it('loses nothing on the way back and forth, and moves no answer to another question', () => {
    const half = press(form, ...typed('', 'down', ' ', 'tab'), ...typed('a dark mo'));
    const round = press(
      half.state,
      ...typed('', ...Array(5).fill('tab')),
      ...typed('', ...Array(5).fill('shift+tab')),
    );
    expect(round.at).toBe(1);
    const done = press(round.state, ...typed('de', 'tab'), ...typed('till'));
    expect(answersOf(press(done.state, ...typed('', 'shift+tab', 'shift+tab')).state)).toEqual([
      { question: 0, options: [0] },
      { question: 1, options: [], words: 'a dark mode' },
      { question: 2, options: [], words: 'till' },
    ]);
  });

  it('keeps what is chosen when Enter is pressed on it again', () => {
    const again = press(filled.state, ...typed('', 'tab', 'enter'));
    expect(again.at).toBe(1);
    const several = press(again.state, ...typed('', 'enter', 'enter', 'enter'));
    expect(press(several.state, ...typed('', 'enter')).effects).toEqual(
      press(filled.state, ...typed('', 'enter')).effects,
    );
  });

  it('takes letters and digits in the middle of words as what they are', () => {
    const words = press(filled.state, ...typed('', 'tab', 'tab', 'tab'), ...typed(' rny?q1 2'));
    expect(answersOf(press(words.state, ...typed('', 'shift+tab', 'shift+tab')).state)).toContainEqual({
      question: 2,
      options: [],
      words: 'till rny?q1 2',
    });
  });

  it('takes a line break into the words, and sends nothing by it', () => {
    const words = press(
      filled.state,
      ...typed('', 'tab', 'tab', 'tab', 'alt+enter'),
      ...typed('2', 'ctrl+j', 'enter'),
    );
    expect(words.at).toBe(3);
    expect(words.effects).toEqual([]);
    expect(words.state.forms.get('q-1')?.entries[2]?.words.text).toBe('till\n2\n');
  });

  it('takes a number for the option of that number, and one that is pasted for words', () => {
    expect(
      answersOf(press(filled.state, ...typed('', 'tab', 'down'), ...typed('1', 'enter', 'shift+tab')).state),
    ).toContainEqual({
      question: 0,
      options: [0],
    });
    const pasted = stepScreen(alone, { type: 'paste', text: '2' }, () => {});
    expect(press(pasted, ...typed('', 'enter')).effects).toEqual(
      sent([{ question: 0, options: [], words: '2' }]),
    );
  });

  it('takes words beside an option', () => {
    const { effects } = press(
      alone,
      ...typed('', 'down', ' ', 'down', 'down'),
      ...typed('version 16', 'enter'),
    );
    expect(effects).toEqual(sent([{ question: 0, options: [0], words: 'version 16' }]));
  });

  it('takes no words where only options count, and says so', () => {
    const license = press(filled.state, ...typed('', 'shift+tab'));
    const refused = press(license.state, ...typed('GPL', 'enter'));
    expect(refused.at).toBe(3);
    expect(refused.state.notice?.text).toBe('License takes none but its options');
    const taken = press(license.state, ...typed('mit', 'enter', 'enter'));
    expect(taken.effects).toMatchObject([
      { answers: expect.arrayContaining([{ question: 3, options: [0] }]) },
    ]);
  });

  it('clears the mark of an option by Space, and has one at most where one is asked for', () => {
    const { state } = press(form, ...typed('', 'down', ' ', 'down', ' '));
    expect(state.forms.get('q-1')?.entries[0]?.choice.marked).toEqual([1]);
    expect(press(state, { key: ' ' }).state.forms.get('q-1')?.entries[0]?.choice.marked).toEqual([]);
  });

  it('goes from the answers that are looked at to the one that is picked, and types nothing there', () => {
    const picked = press(filled.state, ...typed('x', 'down', 'down', 'enter'));
    expect(picked).toMatchObject({ at: 1, effects: [] });
    expect(press(filled.state, ...typed('3', 'enter'))).toMatchObject({ at: 2, effects: [] });
  });

  it('can be left and come back to, also on another screen', () => {
    const { state } = press(filled.state, ...typed('', 'shift+tab', 'escape', 'i'));
    expect(answersOf(press(state, ...typed('', 'shift+tab', 'shift+tab', 'shift+tab')).state)).toHaveLength(
      3,
    );
  });

  it('goes with its question, whoever closed it', () => {
    const news = { type: 'news', outputVersion: 0, sprint: { ...filled.state.sprint, open: [] } } as const;
    const gone = stepScreen(
      filled.state,
      { ...news, closed: [{ id: 'q-1', how: 'bob answered it first' }] },
      () => {},
    );
    expect(gone.forms.size).toBe(0);
    expect(gone.notice?.text).toBe(
      'bob answered it first (your draft was not sent: Up in the next box has it, Alt+Up beside options)',
    );
  });
});

describe('a question that is to be put in other words', () => {
  it.each([
    ['what is unclear', 'Which two?'],
    ['nothing more', ''],
  ])('is sent back by Ctrl+O, with %s', (_, how) => {
    const { effects, state } = press(answering(aQuestion()), ...typed('', 'ctrl+o'), ...typed(how, 'enter'));
    expect(effects).toEqual([{ type: 'rephrase', id: 'q-1', how }]);
    expect(state.sending).toEqual(new Set(['q-1']));
  });

  it('keeps its answer when Esc leads back', () => {
    const { state, effects } = press(
      answering(aQuestion()),
      ...typed('yes', 'ctrl+o'),
      ...typed('why', 'escape', 'enter'),
    );
    expect(effects).toEqual([{ type: 'answer', id: 'q-1', response: 'yes' }]);
    expect(state.asks.get('q-1')?.text).toBe('why');
  });

  it('is none that a program asks at its terminal', () => {
    const prompt = answering(aQuestion({ kind: 'prompt' }));
    expect(press(prompt, ...typed('', 'ctrl+o')).state.focus.at).toBe('answer');
  });
});
