import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
import { answering, aQuestion, room, typed } from '../../helpers/screen-views.ts';

const asked = aQuestion({ options: ['Stripe', 'Adyen', 'Neither'] });

/** What is sent after these keys, one chunk each. */
function press(state: ScreenState, ...strokes: Stroke[]) {
  const effects: Effect[] = [];
  const end = strokes.reduce(
    (now, stroke) =>
      stepScreen(now, { type: 'keys', strokes: [stroke], room }, (effect) => effects.push(effect)),
    state,
  );
  return { state: end, effects };
}

const sent = (...keys: string[]) => press(answering(asked), ...typed('', ...keys, 'enter')).effects;
const option = (at: number) => [{ type: 'answer', id: 'q-1', response: asked.options[at], option: at }];

describe('an option', () => {
  it('is chosen by going there', () => {
    expect(sent('down')).toEqual(option(0));
    expect(sent('down', 'down')).toEqual(option(1));
    expect(sent('up')).toEqual(option(2));
    expect(sent('down', 'up', 'up')).toEqual(option(0));
  });

  it('is reached although a blank was typed', () => {
    expect(press(answering(asked), ...typed(' ', 'down', 'down', 'enter')).effects).toEqual(option(1));
  });

  it('is none by itself', () => {
    expect(sent()).toEqual([]);
    // Below the last one are words of one's own.
    expect(sent('up', 'down')).toEqual([]);
  });

  it('is chosen by its number, and from there', () => {
    expect(press(answering(asked), ...typed('2', 'enter')).effects).toEqual(option(1));
    const { state } = press(answering(asked), ...typed('2', 'down'));
    expect(state.drafts.get('q-1')?.text).toBe('');
    expect(press(state, ...typed('', 'enter')).effects).toEqual(option(2));
    expect(press(state, ...typed('1', 'enter')).effects).toEqual(option(0));
  });

  it('of more than nine is chosen by a number of two digits, also from another', () => {
    const many = aQuestion({ options: Array.from({ length: 12 }, (_, at) => `answer ${at + 1}`) });
    const twelfth = [{ type: 'answer', id: 'q-1', response: 'answer 12', option: 11 }];
    expect(press(answering(many), ...typed('12', 'enter')).effects).toEqual(twelfth);
    const { state } = press(answering(many), ...typed('', 'down'));
    expect(press(state, ...typed('12', 'enter')).effects).toEqual(twelfth);
  });

  it('gives way to words, which stay while one looks at the options', () => {
    const { state } = press(answering(asked), ...typed('both', 'up'));
    expect(press(state, ...typed('', 'enter')).effects).toEqual(option(2));
    expect(press(state, ...typed('', 'down', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'both' },
    ]);
    expect(press(state, ...typed(' of them', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'both of them' },
    ]);
  });

  it('gives way to what is pasted, which chooses none', () => {
    const { state } = press(answering(asked), ...typed('', 'down'));
    const pasted = stepScreen(state, { type: 'paste', text: 'Paypal' }, () => {});
    expect(press(pasted, ...typed('', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'Paypal' },
    ]);
  });

  it('is not named by what is pasted', () => {
    const pasted = stepScreen(answering(asked), { type: 'paste', text: '2' }, () => {});
    expect(press(pasted, ...typed('', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: '2' },
    ]);
  });

  it('is of its question', () => {
    const other = aQuestion({ id: 'q-2', options: ['a', 'b'] });
    const { effects } = press(answering(asked, other), ...typed('', 'down', 'tab', 'enter'));
    expect(effects).toEqual([]);
  });

  it('takes no arrow from words of several lines', () => {
    const { state } = press(answering(asked), ...typed('one', 'alt+enter'), ...typed('two', 'up'));
    expect(state.drafts.get('q-1')).toEqual({ text: 'one\ntwo', cursor: 3 });
    expect(state.choices.get('q-1')).toBeUndefined();
  });
});

describe('several options', () => {
  const several = answering(aQuestion({ options: ['a', 'b', 'c'], isMultiple: true }));
  const answers = (...strokes: Stroke[]) =>
    press(several, ...strokes).effects.map((effect) => ('response' in effect ? effect.response : undefined));

  it('are marked with Space, or by their numbers, and sent a line each', () => {
    expect(
      answers(...typed('', 'up'), ...typed(' '), ...typed('', 'up', 'up'), ...typed(' ', 'enter')),
    ).toEqual(['a\nc']);
    expect(answers(...typed('3,1', 'enter'))).toEqual(['a\nc']);
    expect(answers(...typed('', 'down'), ...typed('23', 'enter'))).toEqual(['b\nc']);
  });

  it('are sent with words beside them, and one alone as the option that it is', () => {
    expect(answers(...typed('', 'down'), ...typed(' '), ...typed('not b', 'enter'))).toEqual(['a\nnot b']);
    expect(press(several, ...typed('2', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'b', option: 1 },
    ]);
  });

  it('are none by being there, nor once their mark is taken away', () => {
    expect(answers(...typed('', 'down', 'enter'))).toEqual([]);
    expect(answers(...typed('', 'down'), ...typed('  ', 'enter'))).toEqual([]);
    expect(answers(...typed('1 4', 'enter'))).toEqual(['1 4']);
  });

  it('keep their marks when the numbers were typed before', () => {
    const { state } = press(several, ...typed('1 3', 'up'));
    expect(state.choices.get('q-1')).toMatchObject({ marked: [0, 2] });
    expect(state.drafts.get('q-1')?.text).toBe('');
  });
});

describe('earlier answers', () => {
  const free = aQuestion();
  const answers = ['newest', 'older'];
  const recalled = (state: ScreenState) =>
    stepScreen(state, { type: 'recalled', id: 'q-1', answers }, () => {});
  const textOf = (state: ScreenState) => state.drafts.get('q-1')?.text;
  const begun = recalled(press(answering(free), ...typed('', 'up')).state);

  it('are looked up with the arrow in an empty box, and gone through', () => {
    expect(press(answering(free), ...typed('', 'up')).effects).toEqual([{ type: 'recall', id: 'q-1' }]);
    expect(textOf(begun)).toBe('newest');
    const oldest = press(begun, ...typed('', 'up', 'up')).state;
    expect(textOf(oldest)).toBe('older');
    expect(textOf(press(oldest, ...typed('', 'down')).state)).toBe('newest');
    expect(textOf(press(oldest, ...typed('', 'down', 'down')).state)).toBe('');
    expect(press(oldest, ...typed('', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'older' },
    ]);
  });

  it('are words like any other once something is changed', () => {
    const changed = press(begun, ...typed('!')).state;
    expect(press(changed, ...typed('', 'up')).effects).toEqual([]);
    expect(textOf(press(changed, ...typed('', 'up')).state)).toBe('newest!');
  });

  it('leave what is typed in peace, and give it back', () => {
    const { state, effects } = press(answering(free), ...typed('mine', 'up'));
    expect(effects).toEqual([]);
    const asked = press(state, ...typed('', 'alt+up'));
    expect(asked.effects).toEqual([{ type: 'recall', id: 'q-1' }]);
    expect(textOf(press(recalled(asked.state), ...typed('', 'alt+down')).state)).toBe('mine');
  });

  it('name no option, and come too late for another question', () => {
    const at = recalled(press(answering(asked), ...typed('', 'alt+up')).state);
    const numbered = stepScreen(answering(asked), { type: 'recalled', id: 'q-1', answers: ['2'] }, () => {});
    expect(textOf(at)).toBe('newest');
    expect(press(numbered, ...typed('', 'enter')).effects).toEqual([
      { type: 'answer', id: 'q-1', response: '2' },
    ]);
    const other = { ...answering(aQuestion({ id: 'q-2' })) };
    expect(recalled(other)).toBe(other);
  });

  it('are none at first', () => {
    const none = stepScreen(answering(free), { type: 'recalled', id: 'q-1', answers: [] }, () => {});
    expect(none.notice?.text).toBe('Nothing was answered before');
  });
});
