import { withArea } from '../../../src/tui/screen/browsing.ts';
import { describe, expect, it } from 'vitest';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import type { Room } from '../../../src/tui/terminal/room.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import { remarksOf } from '../../../src/tui/screen/remarks.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { textRows } from '../../../src/tui/text/text-rows.ts';
import type { EditedText } from '../../../src/lib/processes/open-editor.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
import type { Question } from '../../../src/views/sprints/sprint-view.ts';
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

const first = aQuestion();
const second = aQuestion({ id: 'q-2', question: 'And the docs?', task: undefined });

/** The state after these events, and what it emitted on the way. */
function given(
  state: ScreenState,
  ...events: (ScreenEvent | ScreenEvent[])[]
): { state: ScreenState; effects: Effect[] } {
  const effects: Effect[] = [];
  const end = events
    .flat()
    .reduce((now, event) => stepScreen(now, event, (effect) => effects.push(effect)), state);
  return { state: end, effects };
}

const chunk = (...strokes: Stroke[]): ScreenEvent => ({ type: 'keys', strokes, room });
/** One after the other. */
const keys = (...strokes: Stroke[]): ScreenEvent[] => strokes.map((stroke) => chunk(stroke));
/** It came without a pause behind others. */
const together = (key: string): ScreenEvent => ({ type: 'keys', strokes: [{ key }], isTogether: true, room });
const paste = (text: string): ScreenEvent => ({ type: 'paste', text });
const news = (sprint = aSprint(), closed: { id: string; how: string }[] = []): ScreenEvent => ({
  type: 'news',
  sprint,
  closed,
  outputVersion: 0,
});
const armed = ({ focus }: ScreenState): ScreenEvent => ({ type: 'armed', focus });
const watching = initialState({ isOwner: true, sprint: aSprint() });
const textOf = ({ drafts }: ScreenState, id = 'q-1') => drafts.get(id)?.text;

describe('a question opens', () => {
  const { state: opened } = given(watching, news(aBlockedSprint(first)));

  it('is shown, and its box takes keys once it is armed', () => {
    expect(opened).toMatchObject({ current: 'q-1', focus: { at: 'arming' }, browsing: { area: 'question' } });
    expect(given(opened, armed(opened)).state.focus).toEqual({ at: 'answer' });
  });

  it('does not stand above what became of the one before', () => {
    const { state } = given(
      answering(first),
      keys(...typed('yes', 'enter')),
      { type: 'outcome', id: 'q-1', notice: { tone: 'ok', text: 'Answered' } },
      news(aSprint(), [{ id: 'q-1', how: 'ada answered first' }]),
    );
    expect(state.notice?.text).toBe('Answered');
    expect(given(state, news(aBlockedSprint(second))).state).toMatchObject({
      current: 'q-2',
      notice: undefined,
    });
  });

  it('drops what was typed before, whatever it would do elsewhere', () => {
    const { state, effects } = given(opened, keys(...typed('qi', 'enter', 'ctrl+x')));
    expect(state).toMatchObject({ focus: { at: 'arming', dropped: 4 } });
    expect(textOf(state)).toBeUndefined();
    expect(effects).toEqual([]);
  });

  it('waits again after each dropped key', () => {
    const { state } = given(opened, keys(...typed('x')), armed(opened));
    expect(state.focus.at).toBe('arming');
    expect(given(state, armed(state)).state.focus.at).toBe('answer');
  });

  it('drops what is pasted before', () => {
    expect(textOf(given(opened, paste('yes')).state)).toBeUndefined();
  });

  it('does not take the keys from an answer that is being typed', () => {
    const { state } = given(
      answering(first),
      keys(...typed('ab')),
      news(aBlockedSprint(first, second)),
      keys(...typed('c')),
    );
    expect(state).toMatchObject({ current: 'q-1', focus: { at: 'answer' } });
    expect(textOf(state)).toBe('abc');
  });

  it('stays left when its reader has left the box', () => {
    const { state } = given(
      answering(first),
      keys(...typed('', 'escape')),
      news(aBlockedSprint(first, second)),
    );
    expect(state.focus).toEqual({ at: 'sprint' });
  });

  it('stays left when someone else closes it and the next one takes its place', () => {
    const left = answering(first, second);
    const { state } = given(
      left,
      keys(...typed('', 'escape')),
      news(aBlockedSprint(second), [{ id: 'q-1', how: 'bob answered first' }]),
    );
    expect(state).toMatchObject({ current: 'q-2', focus: { at: 'sprint' } });
  });

  it('makes way for the next one when it was answered here', () => {
    const { state } = given(
      answering(first, second),
      keys(...typed('yes', 'enter')),
      { type: 'outcome', id: 'q-1', notice: { tone: 'ok', text: 'Answered' } },
      news(aBlockedSprint(second), [{ id: 'q-1', how: 'ada answered first' }]),
    );
    expect(state).toMatchObject({
      current: 'q-2',
      focus: { at: 'arming' },
      notice: { text: 'Answered' },
      sending: new Set(),
    });
  });
});

describe('the answer box', () => {
  it('sends what was typed', () => {
    const { state, effects } = given(answering(first), keys(...typed('yes', 'enter')));
    expect(effects).toEqual([{ type: 'answer', id: 'q-1', response: 'yes' }]);
    expect(state.focus).toEqual({ at: 'sprint' });
  });

  it('is empty once its answer has ended, whatever became of it and before the news of it', () => {
    const { state } = given(answering(first), keys(...typed('yes', 'enter')), {
      type: 'outcome',
      id: 'q-1',
      notice: { tone: 'warning', text: 'Not recorded' },
    });
    expect(textOf(state)).toBeUndefined();
    expect(state.notice?.text).toBe('Not recorded');
  });

  it('sends once, however often Enter is pressed', () => {
    const { effects } = given(answering(first), keys(...typed('yes', 'enter', 'enter', 'enter')));
    expect(effects).toHaveLength(1);
  });

  it('sends the option that a bare number names', () => {
    const asked = aQuestion({ options: ['Stripe', 'Adyen'] });
    const { effects } = given(answering(asked), keys(...typed(' 2', 'enter')));
    expect(effects).toEqual([{ type: 'answer', id: 'q-1', response: 'Adyen', option: 1 }]);
  });

  it('sends a number that names no option as it is', () => {
    const asked = aQuestion({ options: ['Stripe', 'Adyen'] });
    const { effects } = given(answering(asked), keys(...typed('3', 'enter')));
    expect(effects).toEqual([{ type: 'answer', id: 'q-1', response: '3' }]);
  });

  it.each(['', '  '])('refuses %j and says so', (text) => {
    const { state, effects } = given(answering(first), keys(...typed(text, 'enter')));
    expect(effects).toEqual([]);
    expect(state).toMatchObject({
      focus: { at: 'answer' },
      notice: { text: expect.stringContaining('Type an answer') },
    });
  });

  it('takes letters that are keys elsewhere', () => {
    expect(textOf(given(answering(first), keys(...typed('quip vnjk'))).state)).toBe('quip vnjk');
  });

  it.each(['alt+enter', 'ctrl+j'])('breaks the line with %s', (key) => {
    expect(textOf(given(answering(first), keys(...typed('a', key)), keys(...typed('b'))).state)).toBe('a\nb');
  });

  it('keeps the draft when it is left, and goes on with it', () => {
    const left = given(answering(first), keys(...typed('half', 'escape')));
    expect(left.state.focus).toEqual({ at: 'sprint' });
    const back = given(left.state, keys(...typed('i')), keys(...typed('!')));
    expect(textOf(back.state)).toBe('half!');
  });

  it('takes keys that follow the one that enters it in the same chunk, but for Enter', () => {
    const left = given(answering(first), keys(...typed('', 'escape')));
    const { state, effects } = given(left.state, chunk(...typed('iyes')));
    expect(textOf(state)).toBe('yes');
    expect(effects).toEqual([]);
    const again = given(state, keys(...typed('', 'escape')), chunk(...typed('i', 'enter')));
    expect(again.effects).toEqual([]);
    expect(textOf(again.state)).toBe('yes\n');
    expect(given(again.state, keys(...typed('', 'enter'))).effects).toHaveLength(1);
  });

  it('takes an Enter that came without a pause as the end of a line, and sends nothing', () => {
    const { state, effects } = given(answering(first), keys(...typed('one')), together('enter'));
    expect(textOf(state)).toBe('one\n');
    expect(effects).toEqual([]);
    const sent = given(state, keys(...typed('two', 'enter')));
    expect(sent.effects).toEqual([{ type: 'answer', id: 'q-1', response: 'one\ntwo' }]);
  });

  it('has an Enter pressed again that came together with the choice of an option', () => {
    const asked = answering(aQuestion({ options: ['A', 'B'] }));
    for (const box of [given(asked, keys(...typed('', 'down'))).state, asked]) {
      const { state, effects } = given(box, together('enter'));
      expect(effects).toEqual([]);
      expect(state).toEqual({ ...box, notice: state.notice });
      expect(state.notice?.text).toContain('press it again');
    }
  });

  it('takes a paste, without what could move the cursor, and does not send it', () => {
    const { state, effects } = given(answering(first), paste('a\r\n\u001B[2Jb\r'));
    expect(textOf(state)).toBe('a\nb\n');
    expect(effects).toEqual([]);
  });

  it('shows how much was pasted, sends all of it, and takes it away as one', () => {
    const lines = Array.from({ length: 135 }, (_, at) => `line ${at + 1}`).join('\n');
    const { state } = given(answering(first), keys(...typed('see ')), paste(lines), keys(...typed('!')));
    const draft = state.drafts.get('q-1');
    expect(draft && textRows(draft, 70).map(({ text }) => text)).toEqual(['see [135 lines pasted]!']);
    expect(given(state, keys(...typed('', 'enter'))).effects).toEqual([
      { type: 'answer', id: 'q-1', response: `see ${lines}!` },
    ]);
    const without = given(state, keys(...typed('', 'left', 'backspace'))).state;
    expect(given(without, keys(...typed('', 'enter'))).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'see !' },
    ]);
  });

  it('shows all of a paste where a call is changed by it', () => {
    const changing: ScreenState = { ...answering(aCallQuestion()), focus: { at: 'edit' } };
    const { state } = given(changing, paste('rm\n'.repeat(9)));
    expect(state.edits.get('q-1')?.text).toBe('rm\n'.repeat(9));
  });

  it('refuses a second paste that would make it too long', () => {
    const { state } = given(answering(first), paste('x'.repeat(40_000)), paste('y'.repeat(40_000)));
    expect(state.notice?.text).toContain('too long');
    expect(state.drafts.get('q-1')?.pastes).toHaveLength(1);
  });

  it('refuses a paste that is longer than an answer may be', () => {
    const { state } = given(answering(first), keys(...typed('a')), paste('x'.repeat(70_000)));
    expect(textOf(state)).toBe('a');
    expect(state.notice?.text).toContain('70000 characters');
  });
});

describe('a draft in an editor', () => {
  const { state, effects } = given(
    answering(first),
    keys(...typed('one')),
    paste('\n2'.repeat(9)),
    keys(...typed('', 'ctrl+g')),
  );
  const back = (edited: EditedText, from = state) =>
    given(from, { type: 'draft-edited', at: { id: 'q-1', kept: 'drafts' }, edited }).state;

  it('is there with all that was pasted, and comes back changed, without being sent', () => {
    const text = `one${'\n2'.repeat(9)}`;
    expect(effects).toEqual([{ type: 'edit-draft', at: { id: 'q-1', kept: 'drafts' }, text }]);
    const changed = back({ text: 'two\u001B[2J\nthree' });
    expect(changed.drafts.get('q-1')).toEqual({ text: 'two\nthree', cursor: 9 });
    expect(given(changed, keys(...typed('', 'enter'))).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'two\nthree' },
    ]);
  });

  it.each([[{ problem: 'vi ended with code 1' }], [{ text: 'x'.repeat(70_000) }], [{ text: '\n' }]])(
    'stays as it is when nothing of use comes back',
    (edited) => {
      const after = back(edited);
      expect(after.drafts).toEqual(state.drafts);
      expect(after.notice?.text).toMatch(
        /^The draft is as it was: (vi ended with code 1|70000 characters|the editor left an empty file)/,
      );
    },
  );

  it('is nowhere when its question was closed meanwhile', () => {
    const closed = back({ text: 'late' }, given(state, news(aSprint())).state);
    expect(closed.drafts.size).toBe(0);
    expect(closed.notice?.text).toContain('was not sent');
    expect(closed.unsent[0]).toBe('late');
  });

  it('is the reason where that is typed, and no other box has one', () => {
    const rejecting = given(answering(first), keys(...typed('', 'ctrl+r')), keys(...typed('no', 'ctrl+g')));
    expect(rejecting.effects).toEqual([
      { type: 'edit-draft', at: { id: 'q-1', kept: 'reasons' }, text: 'no' },
    ]);
    expect(given(watching, keys(...typed('', 'ctrl+g'))).effects).toEqual([]);
  });
});

describe('several questions', () => {
  const { state: both } = given(answering(first, second), keys(...typed('one', 'escape')));

  it('keep a draft each', () => {
    const { state } = given(both, keys(...typed('n')), keys(...typed('itwo', 'escape')), keys(...typed('n')));
    expect(state.current).toBe('q-1');
    expect([textOf(state, 'q-1'), textOf(state, 'q-2')]).toEqual(['one', 'two']);
  });

  it.each([
    ['n', 'q-2'],
    ['p', 'q-2'],
  ])('are reached with %s', (key, current) => {
    expect(given(both, keys(...typed(key))).state.current).toBe(current);
  });

  it.each([
    ['tab', ['q-2', 'q-3', 'q-1']],
    ['shift+tab', ['q-3', 'q-2', 'q-1']],
  ])('are reached with %s from the box, each with its own draft', (key, order) => {
    const third = aQuestion({ id: 'q-3' });
    let { state } = given(answering(first, second, third), keys(...typed('one')));
    for (const id of order) {
      ({ state } = given(state, keys(...typed('', key))));
      expect(state).toMatchObject({ current: id, focus: { at: 'answer' } });
      ({ state } = given(state, keys(...typed(id === 'q-1' ? '!' : id))));
    }
    expect(['q-1', 'q-2', 'q-3'].map((id) => textOf(state, id))).toEqual(['one!', 'q-2', 'q-3']);
  });

  it('do not take the keys where the answer is being recorded', () => {
    const sent = given(answering(first, second), keys(...typed('yes', 'enter', 'tab')), keys(...typed('i')));
    const { state } = given(sent.state, keys(...typed('', 'tab')), keys(...typed('more')));
    expect(state).toMatchObject({ current: 'q-1', focus: { at: 'sprint' } });
    expect(textOf(state, 'q-1')).toBe('yes');
  });

  it('follow each other: after an answer the next is shown, and armed anew', () => {
    const { state } = given(
      answering(first, second),
      keys(...typed('yes', 'enter')),
      news(aBlockedSprint(second), [{ id: 'q-1', how: 'ada answered first' }]),
    );
    expect(state).toMatchObject({ current: 'q-2', focus: { at: 'arming' }, notice: undefined });
  });
});

describe('an answer that lost', () => {
  it('says who was first, and that the draft goes nowhere', () => {
    const { state } = given(
      answering(first),
      keys(...typed('mine')),
      news(aSprint(), [{ id: 'q-1', how: 'bob answered, in the shell: his' }]),
    );
    expect(state).toMatchObject({
      current: undefined,
      focus: { at: 'closed' },
      notice: {
        tone: 'warning',
        text: 'bob answered, in the shell: his (your draft was not sent: Up in the next box has it, Alt+Up beside options)',
      },
    });
  });

  const taken = (...open: Question[]) =>
    given(
      answering(first),
      keys(...typed('I would use ')),
      news(open.length > 0 ? aBlockedSprint(...open) : aSprint(), [
        { id: 'q-1', how: 'carl answered it first' },
      ]),
    ).state;
  const words = ['Postgres', 'Backups first', 'Take it', 'RSXNCB', 'q?:/iyYnN1 ', 'Qy\r'];

  it.each([
    ['nothing', []],
    ['another question', [second]],
    ['a call', [aCallQuestion({ id: 'q-2' })]],
  ] as const)(
    'takes the keys with it: what is typed on does nothing, after a pause too, when %s waits then',
    (_, open) => {
      for (const word of words) {
        const after = Array.from(word).reduce(
          (state, letter) => {
            const pressed = given(state, keys(...(letter === '\r' ? typed('', 'enter') : typed(letter))));
            expect(pressed.effects).toEqual([]);
            return given(pressed.state, armed(pressed.state)).state;
          },
          taken(...open),
        );
        expect(after).toEqual(taken(...open));
        expect(remarksOf(after).map(({ text }) => text)).toContain(
          'Esc goes on: until then no key does anything',
        );
      }
      expect(given(taken(...open), paste('P\nP'))).toEqual({ state: taken(...open), effects: [] });
    },
  );

  it('gives them back with Esc: to the tasks, or to what waits by then', () => {
    const escaped = given(taken(), keys(...typed('', 'escape'))).state;
    expect(escaped).toMatchObject({ focus: { at: 'sprint' }, notice: undefined });
    expect(given(escaped, keys(...typed('P'))).effects).toEqual([{ type: 'act', act: 'pause' }]);
    const asked = given(taken(), news(aBlockedSprint(second)), keys(...typed('y', 'escape'))).state;
    expect(asked).toMatchObject({ current: 'q-2', focus: { at: 'arming' } });
    expect(given(asked, armed(asked)).state.focus).toEqual({ at: 'answer' });
    const over = { ...taken(), summary };
    expect(given(over, keys(...typed('', 'escape'))).state.focus).toEqual({ at: 'over', top: 0 });
  });

  it('takes them where words were dropped, too, and nowhere else', () => {
    const bob = { id: 'q-1', how: 'bob allowed it' };
    const untouched = given(answering(first), news(aSprint(), [bob])).state;
    expect(untouched.focus.at).toBe('arming');
    expect(given(untouched, armed(untouched)).state.focus).toEqual({ at: 'sprint' });
    const card = deciding(aCallQuestion());
    expect(given(card, news(aSprint(), [bob])).state.focus.at).toBe('arming');
    const left = given(answering(first), keys(...typed('', 'escape')), news(aSprint(), [bob])).state;
    expect(left.focus).toEqual({ at: 'sprint' });
    const shown = { ...card, focus: { at: 'arming', dropped: 0 } } as const;
    expect(given(shown, news(aSprint(), [bob])).state.focus.at).toBe('arming');
    expect(given(shown, keys(...typed('P')), news(aSprint(), [bob])).state.focus.at).toBe('closed');
  });

  it('says so when it was sent at the same time', () => {
    const notice = { tone: 'warning', text: 'Not recorded. bob answered first' } as const;
    const { state } = given(
      answering(first),
      keys(...typed('mine', 'enter')),
      news(aSprint(), [{ id: 'q-1', how: 'bob answered first' }]),
      { type: 'outcome', id: 'q-1', notice },
    );
    expect(state.notice).toEqual(notice);
  });

  it('says so, too, when its key comes just after the card has gone', () => {
    const { state } = given(
      answering(first),
      news(aSprint(), [{ id: 'q-1', how: 'bob allowed the call, in the shell' }]),
      keys(...typed('y')),
    );
    expect(state).toMatchObject({
      focus: { at: 'arming', dropped: 1 },
      notice: { text: 'bob allowed the call, in the shell' },
    });
    // Nor is what follows it a command.
    expect(given(state, keys(...typed('P'))).effects).toEqual([]);
  });
});

describe('what somebody else was faster with', () => {
  const lost = news(aBlockedSprint(second), [{ id: 'q-1', how: 'bob answered first' }]);
  const up = keys({ key: 'up' });
  /** As the answers of before are looked up. */
  const recalled: ScreenEvent = { type: 'recalled', id: 'q-2', answers: ['an older one'] };

  it('keeps what was typed, which is the first of the earlier answers in the next box', () => {
    const { state } = given(answering(first, second), keys(...typed('Postgres')), lost);
    expect(state.notice?.text).toBe(
      'bob answered first (your draft was not sent: Up in the next box has it, Alt+Up beside options)',
    );
    const { state: next, effects } = given({ ...state, focus: { at: 'answer' } }, up, recalled);
    expect(effects).toEqual([{ type: 'recall', id: 'q-2' }]);
    expect(textOf(next, 'q-2')).toBe('Postgres');
    expect(textOf(given(next, up).state, 'q-2')).toBe('an older one');
  });

  it('keeps what was sent too late', () => {
    const notice = { tone: 'warning', text: 'Not recorded. bob answered first' } as const;
    const { state } = given(
      answering(first, second),
      keys(...typed('Postgres', 'enter')),
      { type: 'outcome', id: 'q-1', notice, unsent: ['Postgres'] },
      lost,
    );
    const { state: next } = given({ ...state, focus: { at: 'answer' } }, up, recalled);
    expect(textOf(next, 'q-2')).toBe('Postgres');
  });

  it('keeps no secret', () => {
    const secret = `sk-${'a1'.repeat(12)}`;
    const { state } = given(answering(first, second), paste(secret), lost);
    expect(state).toMatchObject({ unsent: [] });
    expect(state.notice?.text).toBe('bob answered first (your draft was not sent)');
  });
});

describe('more than an answer can have', () => {
  const all = 'x'.repeat(65_536);

  it('is said to be missing, and the rest is not sent before something was taken away', () => {
    const { state, effects } = given(answering(first), paste(all.slice(1)), keys(...typed('yz', 'enter')));
    expect(effects).toEqual([]);
    expect(state.notice?.text).toContain('Too long: 65,536 characters fit');
    expect(given(state, keys({ key: 'left' }, { key: 'enter' })).effects).toEqual([]);
    const { effects: sent } = given(state, keys({ key: 'backspace' }, { key: 'enter' }));
    expect(sent).toMatchObject([{ type: 'answer', id: 'q-1' }]);
  });

  it('is no part of a reason either, typed as lines of a terminal without bracketed paste', () => {
    const rejecting = given(answering(first), keys({ key: 'ctrl+r' }), paste(all)).state;
    expect(given(rejecting, keys(...typed('more', 'enter'))).effects).toEqual([]);
  });
});

describe('what could not be recorded', () => {
  const full = {
    type: 'unrecorded',
    why: 'Not recorded: the disk is full',
    again: 'press Enter again',
  } as const;
  const back = { at: 'answer' } as const;
  const sent = given(answering(first), keys(...typed('Postgres', 'enter'))).state;

  it('is in its box again, and sent again by the same key', () => {
    const { state } = given(sent, { ...full, id: 'q-1', back });
    expect(state).toMatchObject({
      focus: back,
      sending: new Set(),
      notice: { tone: 'warning', text: 'Not recorded: the disk is full, then press Enter again' },
    });
    expect(textOf(state)).toBe('Postgres');
    expect(given(state, keys({ key: 'enter' })).effects).toMatchObject([
      { type: 'answer', id: 'q-1', response: 'Postgres' },
    ]);
  });

  it('opens no box over what the person has gone to meanwhile', () => {
    const elsewhere = given(sent, keys({ text: '?' })).state;
    const { state } = given(elsewhere, { ...full, id: 'q-1', back });
    expect(state.focus.at).toBe('help');
    expect(state.notice?.text).toBe('Not recorded: the disk is full, then go back, and press Enter again');
  });
});

describe('rejecting', () => {
  const reasonOf = ({ reasons }: ScreenState, id = 'q-1') => reasons.get(id)?.text;
  const { state: asked } = given(answering(first), keys(...typed('half', 'ctrl+r')));

  it('sends the reason, and nothing as an answer', () => {
    const { state, effects } = given(asked, keys(...typed('Not mine', 'enter')));
    expect(effects).toEqual([{ type: 'reject', id: 'q-1', reason: 'Not mine' }]);
    expect(state).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(['q-1']) });
  });

  it('keeps the answer and the reason apart', () => {
    const { state: back } = given(asked, keys(...typed('Not mine', 'escape')), keys(...typed('!')));
    expect([textOf(back), reasonOf(back)]).toEqual(['half!', 'Not mine']);
    expect(given(back, keys(...typed('', 'enter'))).effects).toEqual([
      { type: 'answer', id: 'q-1', response: 'half!' },
    ]);
    const again = given(back, keys(...typed('', 'ctrl+r')), keys(...typed('.', 'enter')));
    expect(again.effects).toEqual([{ type: 'reject', id: 'q-1', reason: 'Not mine.' }]);
  });

  it('takes a number as a reason, whatever option it names', () => {
    const { state } = given(answering(aQuestion({ options: ['A', 'B'] })), keys(...typed('', 'ctrl+r')));
    expect(given(state, keys(...typed('2', 'enter'))).effects).toEqual([
      { type: 'reject', id: 'q-1', reason: '2' },
    ]);
  });

  it('takes a paste and line breaks into the reason', () => {
    const { state } = given(asked, paste('a\r\nb'), keys(...typed('', 'ctrl+j')));
    expect([textOf(state), reasonOf(state)]).toEqual(['half', 'a\nb\n']);
  });

  it.each(['', '  '])('refuses the reason %j and says so', (text) => {
    const { state, effects } = given(asked, keys(...typed(text, 'enter')));
    expect(effects).toEqual([]);
    expect(state).toMatchObject({ focus: { at: 'reject' }, notice: { tone: 'warning' } });
  });

  it('is possible outside the box, and goes back there', () => {
    const left = given(answering(first), keys(...typed('', 'escape')));
    const { state } = given(left.state, keys(...typed('', 'ctrl+r')), keys(...typed('', 'escape')));
    expect(state.focus).toEqual({ at: 'sprint' });
  });

  it('stays with its question when another arrives, and ends when someone else closes it', () => {
    const more = given(asked, keys(...typed('No')), news(aBlockedSprint(first, second)));
    expect(more.state).toMatchObject({ current: 'q-1', focus: { at: 'reject' } });
    const { state, effects } = given(
      more.state,
      news(aBlockedSprint(second), [{ id: 'q-1', how: 'bob answered first' }]),
      keys(...typed('', 'enter')),
    );
    expect(effects).toEqual([]);
    expect(state).toMatchObject({ current: 'q-2', focus: { at: 'closed' }, reasons: new Map() });
    expect(state.notice?.text).toBe(
      'bob answered first (your draft was not sent: Up in the next box has it, Alt+Up beside options)',
    );
  });
});

describe('dismissing', () => {
  const { state: asked } = given(answering(first), keys(...typed('half', 'ctrl+x')));
  const { state: ready } = given(asked, armed(asked));

  it('asks first, and takes no answer before it was read', () => {
    expect(asked.focus).toMatchObject({ at: 'confirm', isArmed: false });
    expect(given(asked, keys(...typed('y')))).toMatchObject({
      effects: [],
      state: { focus: { at: 'confirm' } },
    });
  });

  it('is done with y', () => {
    expect(given(ready, keys(...typed('y'))).effects).toEqual([{ type: 'dismiss', id: 'q-1' }]);
  });

  it.each([
    ['n', typed('n')],
    ['Escape', typed('', 'escape')],
  ])('is not done with %s, and the draft is still there', (_key, strokes) => {
    const { state, effects } = given(ready, keys(...strokes));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'answer' });
    expect(textOf(state)).toBe('half');
  });

  it.each([
    ['a pasted y', paste('y')],
    ['y among other keys', chunk(...typed('yes', 'enter'))],
    ['Enter', keys(...typed('', 'enter'))],
    ['Y', keys(...typed('Y'))],
  ])('is not done with %s', (_what, event) => {
    expect(given(ready, event)).toMatchObject({ effects: [], state: { focus: { at: 'confirm' } } });
  });

  it('is forgotten when the question is closed meanwhile', () => {
    const { state, effects } = given(ready, news(aBlockedSprint(second)), keys(...typed('y')));
    expect(effects).toEqual([]);
    expect(state.focus.at).toBe('arming');
  });
});

describe('leaving', () => {
  const attached = initialState({ isOwner: false, sprint: aSprint() });

  it.each([
    ['q', typed('q')],
    ['Ctrl+C', typed('', 'ctrl+c')],
  ])('%s only leaves an attached screen', (_key, strokes) => {
    expect(given(attached, keys(...strokes)).effects).toEqual([{ type: 'leave' }]);
  });
});

describe('scrolling', () => {
  const lines = Array.from({ length: 20 }, (_, at) => ({ at: 100 + at, line: { spans: [] } }));
  const long: Room = {
    ...room,
    questionPage: 4,
    questionMax: 6,
    detail: {
      key: 'output parser',
      kind: 'log',
      lines,
      all: lines,
      hits: lines,
      page: 5,
      lastTop: 15,
    },
  };
  const press = (state: ScreenState, ...names: string[]) =>
    given(state, { type: 'keys', strokes: typed('', ...names), room: long }).state;

  it('moves the question by pages, as far as it goes', () => {
    expect(press(answering(first), 'pagedown').questionTop).toBe(4);
    expect(press(answering(first), 'pagedown', 'pagedown').questionTop).toBe(6);
    expect(press(answering(first), 'pagedown', 'pageup', 'pageup').questionTop).toBe(0);
  });

  it('holds the output where it was scrolled to, and follows again at its end', () => {
    const detail = withArea(watching, 'detail');
    const at = (...names: string[]) => press(detail, ...names).browsing.places.get('output parser');
    expect(at('up', 'up')).toBe(118);
    expect(at('k', 'down')).toBeUndefined();
    expect(at('up', 'up', 'end')).toBeUndefined();
    // A page keeps one line of the last; at the oldest page it stops.
    expect(at('pageup')).toBe(116);
    expect(at('home')).toBe(105);
    expect(at(...Array.from({ length: 40 }, () => 'up'))).toBe(105);
    // Pages of it can be turned from the list of tasks.
    expect(press(watching, 'pageup').browsing.places.get('output parser')).toBe(116);
  });
});

describe('a pane', () => {
  const calls = { ...watching, browsing: { ...watching.browsing, pane: 'calls', task: 'parser' } } as const;
  const compared: ScreenEvent = {
    type: 'compared-files',
    files: new Map(),
    seen: new Map(),
    foldable: new Set(),
  };
  /** Has what is wanted there. */
  const loaded = (state: ScreenState): ScreenEvent => {
    const { key = '', version = '' } = state.browsing.loading ?? {};
    return { type: 'loaded', loaded: { key, version, content: { lines: () => [], empty: '' } } };
  };

  it.each([
    ['calls', 1],
    ['events', 0],
  ])('of %s is read anew %i times when files that a call would change are other ones', (pane, times) => {
    const opened = given({ ...calls, browsing: { ...calls.browsing, pane } }, news()).state;
    const there = given(opened, loaded(opened)).state;
    expect(there.browsing.loading).toBeUndefined();
    const { effects } = given(there, compared);
    expect(effects.filter(({ type }) => type === 'load')).toHaveLength(times);
  });
});
