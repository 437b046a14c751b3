import { describe, expect, it } from 'vitest';
import { actionOf, keymap } from '../../../src/tui/keys/keymap.ts';
import { helpSections } from '../../../src/tui/keys/help-sections.ts';
import { keymap as overviewKeymap } from '../../../src/tui/overview/overview-keys.ts';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import { isTyping } from '../../../src/tui/drafts/drafts.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { emptyBuffer } from '../../../src/tui/text/text-buffer.ts';
import { summary } from '../every-key/screen-case.ts';
import {
  aBlockedSprint,
  aCallQuestion,
  answering,
  aQuestion,
  aSprint,
  deciding,
  room,
  typed,
} from '../../helpers/screen-views.ts';

const card = deciding(aCallQuestion());
const act = { act: 'cancel', task: 'parser', reason: emptyBuffer } as const;

function press(state: ScreenState, ...names: string[]): ScreenState {
  const strokes = names.map((name) => (name.length === 1 ? typed(name) : typed('', name)));
  return strokes.reduce((now, each) => after(now, { type: 'keys', strokes: each, room }), state);
}
function after(state: ScreenState, event: ScreenEvent): ScreenState {
  return stepScreen(state, event, () => undefined);
}
const news = (...open: ReturnType<typeof aQuestion>[]): ScreenEvent => ({
  type: 'news',
  sprint: aBlockedSprint(...open),
  closed: [],
  outputVersion: 0,
});

describe('the list of keys', () => {
  it('can be asked for wherever no text is typed', () => {
    const without = (places: Readonly<Record<string, readonly { readonly keys: readonly string[] }[]>>) =>
      Object.entries(places).flatMap(([at, all]) => (all.some(({ keys }) => keys.includes('?')) ? [] : [at]));
    // Of these, the first is over before anything can be read; what is typed in the second may be text.
    const typing = ['filter', 'goal', 'reject', 'rephrase', 'explain', 'edit', 'act', 'palette'];
    expect(without(keymap).toSorted()).toEqual(['arming', 'closed', ...typing].toSorted());
    expect(without(overviewKeymap).toSorted()).toEqual(['filter', 'palette']);
  });

  it('says once what a key does everywhere, and finds it in each place', () => {
    const over = { ...initialState({ isOwner: true, sprint: aSprint() }), summary };
    const of = (text?: string) =>
      helpSections({ state: over }, text).flatMap(({ title, keys }) =>
        keys.flatMap(([name, what]) => (name === '?' || name === 'q' ? [`${title}: ${name} ${what}`] : [])),
      );
    expect(of()).toEqual(['Everywhere: ? help', 'Everywhere: q stop, or leave']);
    expect(of('leave')).toEqual(['When the run is over: q leave', 'Everywhere: q stop, or leave']);
  });

  it('is no command where a question mark is a part of an answer', () => {
    const asked = press(answering(aQuestion()), '?');
    expect(asked).toMatchObject({ focus: { at: 'answer' } });
    expect(asked.drafts.get('q-1')?.text).toBe('?');
    expect(isTyping(asked)).toBe(true);
  });

  it.each<Focus>([
    { at: 'decide' },
    { at: 'scope', isArmed: true, picked: 'sprint' },
    { at: 'batch', isArmed: true, ids: ['q-1'] },
    { at: 'confirm', isArmed: true, back: 'answer' },
    { at: 'stop', isArmed: true, key: 'q', back: { at: 'sprint' } },
    { at: 'act-sure', isArmed: true, ...act },
  ])('leads back from %j, which has to be seen again before it takes a decision', (focus) => {
    const listed = press({ ...card, focus }, '?');
    expect(listed.focus).toMatchObject({ at: 'help', top: 0 });
    const back = focus.at === 'decide' ? { at: 'arming', dropped: 0 } : { ...focus, isArmed: false };
    for (const key of ['?', 'escape', 'q', 'enter', 'ctrl+c']) expect(press(listed, key).focus).toEqual(back);
  });

  it('lists those that have a text in their name, in what they do, or in where they do it', () => {
    const listed = press(
      initialState({ isOwner: true, sprint: aSprint() }),
      '?',
      'down',
      '/',
      ...'PAUSE'.split(''),
    );
    expect(listed.focus).toMatchObject({ at: 'help', top: 0, isFinding: true, find: { text: 'PAUSE' } });
    const found = (text: string) =>
      helpSections({ state: listed }, text).flatMap(({ keys }) => keys.map(([name]) => name));
    expect(found('PAUSE')).toEqual(['P']);
    expect(found('^ctrl')).toEqual([]);
    expect(found('among the commands')).toContain('Tab');
    const kept = press(listed, 'enter');
    expect(kept.focus).toMatchObject({ at: 'help', isFinding: false, find: { text: 'PAUSE' } });
    const all = press(kept, 'escape');
    expect(all.focus).toMatchObject({ at: 'help', find: { text: '' } });
    expect(press(all, 'escape').focus).toEqual({ at: 'sprint' });
  });

  it('takes letters as text while one is typed, and decides nothing', () => {
    const typing = press({ ...card, focus: { at: 'decide' } }, '?', '/', 'y', 'q', '?');
    expect(typing.focus).toMatchObject({ at: 'help', find: { text: 'yq?' } });
    const pasted = after(typing, { type: 'paste', text: ' a\n b' });
    expect(pasted.focus).toMatchObject({ find: { text: 'yq?a b' } });
    expect(press(typing, 'ctrl+c').focus).toMatchObject({ at: 'help', find: { text: '' } });
    expect(press(typing, 'escape', 'escape').focus).toEqual({ at: 'arming', dropped: 0 });
  });

  it('begins with the keys of the card, or of the box, that it lies over', () => {
    const first = (state: ScreenState) => helpSections({ state: press(state, '?') })[0]?.title;
    expect(first(card)).toBe('On the card of a call');
    expect(first({ ...card, summary, focus: { at: 'over', top: 0 } })).toBe('When the run is over');
    expect(first(initialState({ isOwner: true, sprint: aSprint() }))).toBe('In the list of tasks');
  });

  it('has what is of use there, and near it; a text finds the others', () => {
    const titles = (state: ScreenState, text?: string) =>
      helpSections({ state: press(state, '?') }, text).map(({ title }) => title);
    const running = initialState({ isOwner: true, sprint: aSprint() });
    expect(titles(running)).toEqual([
      'In the list of tasks',
      'In the pane beside the tasks',
      'To decide about the sprint and the task that is picked',
      'Everywhere',
      'From now into the past',
    ]);
    expect(titles(card)).toEqual(expect.arrayContaining(['On the card of a call', 'Everywhere']));
    expect(titles(card)).not.toContain('In the box of a question');
    expect(titles({ ...answering(aQuestion()), focus: { at: 'sprint' } })).toEqual(
      expect.arrayContaining(['While a question waits', 'In the box of a question']),
    );
    expect(titles({ ...running, summary })).toContain('When the run is over');
    expect(titles({ ...running, focus: { at: 'result', top: 0, back: 'sprint' } })[0]).toBe(
      'While a command shows what it says',
    );
    expect(titles(running, 'play')).toEqual(['In the past']);
    expect(titles(running, 'reject the question')).toEqual(
      expect.arrayContaining(['In the box of a question']),
    );
  });

  it('has the key that runs a sprint only where nobody does, and something is left to run', () => {
    const attached = initialState({ isOwner: false, sprint: aSprint() });
    const left = { ...attached, processes: { hasRunner: false, gone: new Set<string>() } };
    const lists = (state: ScreenState) =>
      ['', 'run the sprint'].map((text) =>
        helpSections({ state }, text).some(({ keys }) => keys.some(([name]) => name === 'B')),
      );
    expect(lists(left)).toEqual([true, true]);
    const queued = { ...left.sprint, queuedAt: '2026-01-31T11:59:00.000Z' };
    const over = { ...left.sprint, state: 'done', detail: 'completed' } as const;
    for (const other of [
      attached,
      initialState({ isOwner: true, sprint: aSprint() }),
      { ...left, mayApprove: false },
      { ...left, sprint: queued },
      { ...left, sprint: over },
    ])
      expect(lists(other)).toEqual([false, false]);
  });

  it('leads to how the run ended, where that is what has become of it meanwhile', () => {
    const asked: ScreenState = {
      ...card,
      focus: { at: 'stop', isArmed: true, key: 'q', back: { at: 'sprint' } },
    };
    const ended = after(press(asked, '?'), { type: 'over', summary });
    expect(press(ended, 'escape').focus).toEqual({ at: 'over', top: 0 });
  });

  it('keeps what is being decided below it, whatever is asked or answered meanwhile', () => {
    const start = initialState({ isOwner: true, sprint: aSprint() });
    const listed = press({ ...start, focus: { at: 'act-sure', isArmed: true, ...act } }, '?');
    const answered = after(after(listed, news(aQuestion())), news());
    expect(press(answered, 'escape').focus).toMatchObject({ at: 'act-sure', isArmed: false });
  });

  it('of a card gives way to what is asked next, where the call is decided elsewhere', () => {
    const listed = press(card, '?');
    const next = after(listed, news(aQuestion({ id: 'q-2' })));
    expect(next).toMatchObject({ current: 'q-2', focus: { at: 'arming' } });
  });

  it('is named on the card', () => {
    const situation = { state: card, isNarrow: false, canScrollQuestion: false };
    expect(actionOf('?', situation)).toBeTypeOf('function');
  });
});
