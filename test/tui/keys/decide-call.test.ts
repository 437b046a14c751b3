import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../src/tui/screen/current-question.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import type { Room } from '../../../src/tui/terminal/room.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { approval } from '../../helpers/approval.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
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

const call = aCallQuestion();
const question = aQuestion({ id: 'q-2' });
/** Keys wait for a pause, and the screen says that this one does nothing. */
const afterWrongKey = { at: 'arming', dropped: 1, isStray: true };

/** The state after these events, and what it emitted on the way. */
function given(state: ScreenState, ...events: ScreenEvent[]): { state: ScreenState; effects: Effect[] } {
  const effects: Effect[] = [];
  const end = events.reduce((now, event) => stepScreen(now, event, (effect) => effects.push(effect)), state);
  return { state: end, effects };
}

const inRoom = (strokes: Stroke[], within: Room = room): ScreenEvent => ({
  type: 'keys',
  strokes,
  room: within,
});
/** One chunk of input per key, as keys come that are pressed one after the other. */
const press = (...names: string[]): ScreenEvent[] =>
  names.map((name) => inRoom(name.length === 1 ? typed(name) : typed('', name)));
const news = (...open: ReturnType<typeof aQuestion>[]): ScreenEvent => ({
  type: 'news',
  sprint: aBlockedSprint(...open),
  closed: [],
  outputVersion: 0,
});
const armed = ({ focus }: ScreenState): ScreenEvent => ({ type: 'armed', focus });
const endPainted = (of: ScreenState): ScreenEvent => ({ type: 'end-painted', of });
const long: Room = { ...room, questionMax: 5, questionPage: 3 };

describe('a tool call that waits', () => {
  it('takes no key before it was seen, and starts over with each', () => {
    const opened = given(initialState({ isOwner: true, sprint: aSprint() }), news(call)).state;
    expect(opened.focus).toEqual({ at: 'arming', dropped: 0 });
    const { state, effects } = given(opened, ...press('y', 'a', '3', 'enter'), armed(opened));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'arming', dropped: 4 });
    expect(given(state, armed(state)).state.focus).toEqual({ at: 'decide' });
  });

  it.each(['y', 'Y'])('is approved once with %s', (key) => {
    const { state, effects } = given(deciding(call), ...press(key));
    expect(effects).toEqual([{ type: 'approve', id: 'q-1', scope: 'once' }]);
    expect(state).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(['q-1']) });
  });

  it('is allowed by no key in the shell of an agent, and may be denied', () => {
    const inAgent = { ...deciding(call), mayApprove: false };
    for (const key of ['y', 'Y', 'a', 'A']) {
      expect(given(inAgent, ...press(key, '3', 'enter')).effects).toEqual([]);
      expect(given(inAgent, ...press(key)).state.focus).toEqual({ at: 'decide' });
      expect(given(inAgent, ...press(key)).state.notice?.text).toBe(
        'A human allows calls: this is the shell of an agent',
      );
    }
    expect(given(inAgent, ...press('n', 'enter')).effects).toEqual([{ type: 'deny', id: 'q-1' }]);
  });

  describe('that is changed', () => {
    const ofText = ({ edits }: ScreenState) => edits.get('q-1')?.text ?? '';
    const opened = given(deciding(call), ...press('e')).state;
    const editing = given(opened, armed(opened)).state;

    it('takes keys once nobody typed for a moment: E may be a part of a text', () => {
      expect(opened.focus).toEqual({ at: 'arming', dropped: 0, leadsTo: 'edit' });
      expect(editing.focus).toEqual({ at: 'edit' });
      const typedOn = given(opened, ...press('c', 'h', 'o', 'enter'));
      expect(typedOn.effects).toEqual([]);
      expect(given(typedOn.state, armed(typedOn.state)).state.focus).toEqual({ at: 'decide' });
    });

    it('begins with what it is, and is sent as it was left', () => {
      expect(JSON.parse(ofText(editing))).toEqual({ path: 'notes.txt', content: 'hello' });
      const { state, effects } = given(editing, ...press('backspace', ' ', '}', 'enter'));
      expect(effects).toEqual([{ type: 'edit', id: 'q-1', text: ofText(editing).replace(/}$/, ' }') }]);
      expect(state).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(['q-1']) });
    });

    it('is not sent unchanged, nor from the shell of an agent', () => {
      const same = given(editing, ...press('enter'));
      expect(same).toMatchObject({ effects: [], state: { focus: { at: 'edit' } } });
      expect(same.state.notice?.text).toContain('Nothing is changed yet');
      expect(given({ ...editing, mayApprove: false }, ...press('x', 'enter')).effects).toEqual([]);
      const inAgent = given({ ...deciding(call), mayApprove: false }, ...press('e'));
      expect(inAgent.state.notice?.text).toContain('A human allows calls');
    });

    it('stays in its box, with what was typed, while that is no JSON object', () => {
      const { state, effects } = given(editing, ...press('x', 'enter'));
      expect(effects).toEqual([]);
      expect(state).toMatchObject({ focus: { at: 'edit' }, sending: new Set() });
      expect(state.notice?.text).toBe('Not changed: its arguments have to be one JSON object');
      expect(ofText(state)).toBe(`${ofText(editing)}x`);
    });

    it('keeps what was typed when it cannot be recorded, and over Escape', () => {
      const sent = given(editing, ...press(' ', 'enter')).state;
      expect(sent.sending).toEqual(new Set(['q-1']));
      const refused = { type: 'unsent', id: 'q-1', why: 'Not changed: no', back: { at: 'edit' } } as const;
      const back = given(sent, refused).state;
      expect(back).toMatchObject({
        sending: new Set(),
        focus: { at: 'edit' },
        notice: { text: 'Not changed: no' },
      });
      expect(ofText(back)).toBe(`${ofText(editing)} `);
      // Who has turned to something else is not called back.
      const away = given({ ...sent, focus: { at: 'filter' } }, refused).state;
      expect(away).toMatchObject({
        focus: { at: 'filter' },
        notice: { text: 'Not changed: no. i leads back to it' },
      });
      const left = given(editing, ...press('x', 'escape')).state;
      expect(left.focus).toEqual({ at: 'arming', dropped: 0 });
      expect(ofText(given(left, armed(left), ...press('e')).state)).toBe(`${ofText(editing)}x`);
      // Of one that was emptied the call is there again.
      const emptied = { ...left, edits: new Map([['q-1', { text: ' ', cursor: 1 }]]) };
      expect(ofText(given(emptied, armed(emptied), ...press('e')).state)).toBe(ofText(editing));
    });

    it.each([
      ['hidden', { hidden: { values: 1, characters: 9, lines: 1 } }],
      ['masked', { args: { password: 'abc' } }],
    ])('is not changed while a part of it is %s', (_what, over) => {
      const asked = aCallQuestion();
      const partly = aCallQuestion({ approval: asked.approval && { ...asked.approval, ...over } });
      expect(given(deciding(partly), ...press('e')).state.focus).toEqual(afterWrongKey);
    });

    it('is read to its end first', () => {
      expect(given(deciding(call), inRoom(typed('e'), long)).state.focus).toEqual({ at: 'decide' });
    });
  });

  it('is sent back with a question, which no reason and no other card gets', () => {
    const asking = given(deciding(call), ...press('w', 'W', 'h', 'y', 'escape')).state;
    expect(asking.asks.get('q-1')?.text).toBe('Why');
    expect(given(asking, armed(asking), ...press('n', 'enter')).effects).toEqual([
      { type: 'deny', id: 'q-1' },
    ]);
    const { state, effects } = given(asking, armed(asking), ...press('W', '?', 'enter'));
    expect(effects).toEqual([{ type: 'explain', id: 'q-1', question: 'Why?' }]);
    expect(state).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(['q-1']) });
    const inAgent = given({ ...deciding(call), mayApprove: false }, ...press('w', 'enter'));
    expect(inAgent.effects).toEqual([]);
  });

  describe('that waits with others like it', () => {
    const alike = aCallQuestion({ id: 'q-3' });
    const listed = given(deciding(call, question, alike), ...press('s')).state;
    const ready = given(listed, armed(listed)).state;
    const ids = ['q-1', 'q-3'];

    it('is allowed with all that are listed, once the list was seen', () => {
      expect(listed.focus).toEqual({ at: 'batch', isArmed: false, ids });
      expect(given(listed, ...press('y')).effects).toEqual([]);
      const { state, effects } = given(ready, ...press('y'));
      expect(effects).toEqual([{ type: 'decide-all', verdict: 'approved', ids }]);
      expect(state.sending).toEqual(new Set(ids));
    });

    it('is not allowed by a letter of a text that was meant for something else', () => {
      const typedOn = given(ready, ...press('h')).state;
      expect(typedOn.focus).toMatchObject({ at: 'batch', isArmed: false });
      expect(given(typedOn, ...press('y')).effects).toEqual([]);
    });

    it('is read to the end of the list first, though its own end was seen', () => {
      const read = { ...deciding(call, alike), readToEnd: new Set(['q-1']) };
      const again = given(read, ...press('s')).state;
      const unread = given(given(again, armed(again)).state, inRoom(typed('y'), long));
      expect(unread.effects).toEqual([]);
      const atEnd = given(unread.state, inRoom(typed('', 'end'), long)).state;
      expect(given(atEnd, inRoom(typed('y'), long)).effects).toEqual([]);
      const seen = given(atEnd, endPainted(atEnd), inRoom(typed('y'), long));
      expect(seen.effects).toEqual([{ type: 'decide-all', verdict: 'approved', ids }]);
    });

    it('takes neither what came after the list nor what somebody has decided', () => {
      const later = given(ready, news(call, alike, aCallQuestion({ id: 'q-4' }))).state;
      expect(given(later, ...press('y')).effects).toEqual([{ type: 'decide-all', verdict: 'approved', ids }]);
      expect(given(ready, news(call), ...press('y')).effects).toEqual([
        { type: 'decide-all', verdict: 'approved', ids: ['q-1'] },
      ]);
    });

    it('is denied with all that are listed, for one reason if any, once the list was seen', () => {
      expect(given(listed, ...press('n')).state).toMatchObject({
        focus: listed.focus,
        notice: { tone: 'info' },
      });
      const { state } = given(ready, ...press('n'));
      expect(batchOf(state).map(({ id }) => id)).toEqual(ids);
      expect(given(state, ...press('enter')).effects).toEqual([
        { type: 'decide-all', verdict: 'denied', ids },
      ]);
      const { state: sent, effects } = given(state, ...press('N', 'o', 'enter'));
      expect(effects).toEqual([{ type: 'decide-all', verdict: 'denied', ids, reason: 'No' }]);
      expect(sent).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(ids) });
    });

    it('leads from the reason back to the list, and leaves out what somebody has decided meanwhile', () => {
      const why = given(ready, ...press('n', 'o')).state;
      expect(given(why, ...press('escape')).state.focus).toEqual({ at: 'batch', isArmed: false, ids });
      const { effects } = given(why, news(call, aCallQuestion({ id: 'q-4' })), ...press('enter'));
      expect(effects).toEqual([{ type: 'decide-all', verdict: 'denied', ids: ['q-1'], reason: 'o' }]);
    });

    it('goes back with Escape, and is no choice of a call alone, nor of an agent', () => {
      expect(given(ready, ...press('escape')).state.focus).toEqual({ at: 'arming', dropped: 0 });
      expect(given(deciding(call, question), ...press('s')).state.focus).toEqual(afterWrongKey);
      expect(given({ ...ready, mayApprove: false }, ...press('y')).effects).toEqual([]);
      expect(given(ready, inRoom(typed('y', 'enter'))).effects).toEqual([]);
    });
  });

  it('is not decided twice', () => {
    const { effects } = given(deciding(call), ...press('y', 'y', 'i', 'y', 'n', 'enter'));
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['Enter', press('enter')],
    ['a blank', press(' ')],
    ['a pasted y', [{ type: 'paste', text: 'y' } as const]],
    ['y behind a letter with Alt, or behind Esc and a letter', press('alt+y', 'y')],
    ['y behind what is pasted', [{ type: 'paste', text: 'ok' } as const, ...press('y')]],
    ['y among other keys', [inRoom(typed('y', 'enter'))]],
    ['keys of questions', press('ctrl+r', 'ctrl+x', 'ctrl+j')],
    ['a digit without a choice', press('3')],
  ])('is not decided with %s', (_what, events) => {
    const { state, effects } = given(deciding(call), ...events);
    expect(effects).toEqual([]);
    expect(['decide', 'arming']).toContain(state.focus.at);
  });

  it('takes a letter that means nothing for the beginning of a text, which does not decide', () => {
    const { state, effects } = given(deciding(call), ...press('o', 'k', 'a', 'y'));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'arming', dropped: 4 });
  });

  it('can be left and turned to again, and is not decided meanwhile', () => {
    const left = given(deciding(call), ...press('escape', 'y', 'a', 'enter'));
    expect(left.effects).toEqual([]);
    expect(left.state.focus).toEqual({ at: 'sprint' });
    expect(given(left.state, ...press('i')).state.focus).toEqual({ at: 'arming', dropped: 0 });
    // It is read from its beginning again.
    expect(given({ ...left.state, questionTop: 4 }, ...press('i')).state.questionTop).toBe(0);
  });

  it('does not take the keys from an answer that is being typed, nor when that is turned from', () => {
    const typing = given(answering(question), news(question, call), ...press('y'));
    expect(typing.state).toMatchObject({ current: 'q-2', focus: { at: 'answer' } });
    const turned = given(typing.state, ...press('tab', 'y'));
    expect(turned.effects).toEqual([]);
    expect(turned.state).toMatchObject({ current: 'q-1', focus: { at: 'arming', dropped: 1 } });
  });

  it('leads on to a question that takes words', () => {
    const { state } = given(deciding(call, question), ...press('tab', 'y'));
    expect(state).toMatchObject({ current: 'q-2', focus: { at: 'answer' } });
    expect(state.drafts.get('q-2')?.text).toBe('y');
  });

  it('arms anew when another takes its place', () => {
    const other = aCallQuestion({ id: 'q-3' });
    const { state, effects } = given(deciding(call, other), news(other), ...press('y'));
    expect(effects).toEqual([]);
    expect(state).toMatchObject({ current: 'q-3', focus: { at: 'arming', dropped: 1 } });
  });
});

describe('a call that is longer than the screen', () => {
  it.each(['y', 'a'])('is not allowed with %s before its end was in sight', (key) => {
    const { state, effects } = given(deciding(call), inRoom(typed(key), long));
    expect(effects).toEqual([]);
    expect(state).toMatchObject({ focus: { at: 'decide' }, notice: { tone: 'warning' } });
  });

  it.each([[['end']], [['pagedown', 'pagedown']], [Array.from({ length: 5 }, () => 'down')]])(
    'is read to its end with %j, and may be looked through again',
    (names) => {
      const scrolled = names.map((name) => inRoom(typed('', name), long));
      const atEnd = given(deciding(call), ...scrolled).state;
      expect(atEnd.questionTop).toBe(long.questionMax);
      const after = [inRoom(typed('', 'home'), long), inRoom(typed('y'), long)];
      expect(given(atEnd, ...after).effects).toEqual([]);
      const { state, effects } = given(atEnd, endPainted(atEnd), ...after);
      expect(state.questionTop).toBe(0);
      expect(effects).toEqual([{ type: 'approve', id: 'q-1', scope: 'once' }]);
    },
  );

  it.each([
    ['scrolled away from', ['home']],
    ['in a list', ['s', 'end']],
    ['another', ['tab']],
  ])('is not read when its end was painted after it was %s', (_what, names) => {
    const atEnd = given(deciding(call, aCallQuestion({ id: 'q-3' })), inRoom(typed('', 'end'), long)).state;
    const gone = given(
      atEnd,
      ...names.map((name) => inRoom(name === 's' ? typed(name) : typed('', name), long)),
    ).state;
    expect(given(gone, endPainted(atEnd)).state.readToEnd).toEqual(new Set());
  });

  it('may be denied unread', () => {
    const { effects } = given(deciding(call), inRoom(typed('n'), long), inRoom(typed('', 'enter'), long));
    expect(effects).toEqual([{ type: 'deny', id: 'q-1' }]);
  });

  it('does not make another one read', () => {
    const other = aCallQuestion({ id: 'q-3' });
    const atEnd = given(deciding(call, other), inRoom(typed('', 'end'), long)).state;
    const read = given(atEnd, endPainted(atEnd), ...press('tab')).state;
    expect(read.readToEnd).toEqual(new Set(['q-1']));
    const { effects } = given({ ...read, focus: { at: 'decide' } }, inRoom(typed('y'), long));
    expect(effects).toEqual([]);
  });
});

describe('denying', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['Not there', { reason: 'Not there' }],
    ['yes', { reason: 'yes' }],
  ])('sends the reason %j', (text, reason) => {
    const { state, effects } = given(deciding(call), ...press('n'), inRoom(typed(text)), ...press('enter'));
    expect(effects).toEqual([{ type: 'deny', id: 'q-1', ...reason }]);
    expect(state).toMatchObject({ focus: { at: 'sprint' }, sending: new Set(['q-1']) });
  });

  it('is called off with Escape, which keeps the reason and takes no key for a decision at once', () => {
    const { state, effects } = given(deciding(call), ...press('N', 'h', 'escape', 'y'));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'arming', dropped: 1 });
    const again = given({ ...state, focus: { at: 'decide' } }, ...press('n', 'o', 'enter'));
    expect(again.effects).toEqual([{ type: 'deny', id: 'q-1', reason: 'ho' }]);
  });
});

describe('approving more than the call', () => {
  const asked = given(deciding(call), ...press('A')).state;
  const ready = given(asked, armed(asked)).state;

  it('asks for how much, and takes no choice before it was read', () => {
    expect(asked.focus).toEqual({ at: 'scope', isArmed: false, picked: undefined });
    const { state, effects } = given(asked, ...press('3', 'down', 'enter'));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual(asked.focus);
  });

  it.each([
    ['1', 'task'],
    ['2', 'sprint'],
    ['3', 'always'],
  ])('%s chooses %s', (digit, scope) => {
    expect(given(ready, ...press(digit)).effects).toEqual([{ type: 'approve', id: 'q-1', scope }]);
  });

  it.each([
    [['down'], 'task'],
    [['down', 'down'], 'sprint'],
    [['down', 'down', 'down', 'down'], 'always'],
    [['up'], 'always'],
    [['up', 'up', 'up', 'up'], 'task'],
  ])('%j and Enter choose %s', (arrows, scope) => {
    expect(given(ready, ...press(...arrows, 'enter')).effects).toEqual([
      { type: 'approve', id: 'q-1', scope },
    ]);
  });

  it.each([
    ['Enter alone', press('enter')],
    ['the keys that led here', press('a', 'A', 'y', 'Y')],
    ['another digit', press('0', '4')],
    ['several keys at once', [inRoom(typed('3', 'enter'))]],
    ['a paste', [{ type: 'paste', text: '3' } as const]],
    ['a digit behind what is pasted', [{ type: 'paste', text: 'x' } as const, ...press('3')]],
  ])('%s chooses nothing', (_what, events) => {
    expect(given(ready, ...events)).toMatchObject({ effects: [], state: { focus: { at: 'scope' } } });
  });

  it('offers what the call is part of, under the same digits', () => {
    const adhoc = aCallQuestion({ task: undefined, scopes: ['once', 'always'] });
    const choosing: ScreenState = {
      ...deciding(adhoc),
      focus: { at: 'scope', isArmed: true, picked: undefined },
    };
    expect(given(choosing, ...press('1', '2')).effects).toEqual([]);
    expect(given(choosing, ...press('3')).effects).toEqual([{ type: 'approve', id: 'q-1', scope: 'always' }]);
    expect(given(choosing, ...press('down', 'enter')).effects).toEqual([
      { type: 'approve', id: 'q-1', scope: 'always' },
    ]);
  });

  it('is called off with Escape', () => {
    const { state, effects } = given(ready, ...press('escape', 'y', '3'));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'arming', dropped: 2 });
  });
});

describe('a call of an agent that changes files', () => {
  const own = { ...approval, server: '@opencode', tool: 'edit', isOwn: true } as const;
  const edit = aCallQuestion({ approval: own });
  const compared = (seen: string | undefined, id = 'q-1'): ScreenEvent => ({
    type: 'compared-files',
    files: new Map([[id, new Map()]]),
    seen: new Map([[id, seen]]),
    foldable: new Set(),
  });
  const isReady = (state: ScreenState): ScreenState => given(state, armed(state)).state;

  it.each(['y', 'a', 'e'])('takes no %s before it was compared with them', (key) => {
    const { state, effects } = given(deciding(edit), ...press(key));
    expect(effects).toEqual([]);
    expect(state.focus).toEqual({ at: 'decide' });
    expect(given(deciding(edit), ...press('n')).state.focus.at).toBe('reject');
  });

  it('is seen anew once it was compared, whatever was read before', () => {
    const read = { ...deciding(edit), readToEnd: new Set(['q-1']), questionTop: 3 };
    const { state } = given(read, compared('digest'));
    expect(state).toMatchObject({ focus: { at: 'arming' }, questionTop: 0, notice: undefined });
    expect(given(state, ...press('y')).effects).toEqual([]);
    const ready = isReady(state);
    expect(given(ready, inRoom(typed('y'), long)).effects).toEqual([]);
    const { effects } = given(ready, endPainted(ready), inRoom(typed('y'), long));
    expect(effects).toMatchObject([{ type: 'approve', seen: new Map([['q-1', 'digest']]) }]);
  });

  it('is asked about anew with what is there now, also where nothing of it can be seen any more', () => {
    const seen = isReady(given(deciding(edit), compared('digest')).state);
    const { state } = given(seen, compared(''));
    expect(state).toMatchObject({ focus: { at: 'arming' }, notice: { tone: 'warning' } });
    const { effects } = given(isReady(state), ...press('y'));
    expect(effects).toMatchObject([{ type: 'approve', seen: new Map([['q-1', '']]) }]);
  });

  it('that is not on the screen is to be read again where its file has changed, and others are not', () => {
    const seen = given(
      deciding(edit),
      compared('digest'),
      compared('digest', 'q-2'),
      compared('digest', 'q-3'),
    ).state;
    const read = { ...seen, readToEnd: new Set(['q-1', 'q-2', 'q-3']) };
    const { state } = given(read, compared('other', 'q-2'));
    expect(state).toMatchObject({ current: 'q-1', focus: seen.focus });
    expect(state.readToEnd).toEqual(new Set(['q-1', 'q-3']));
  });

  it('can be allowed where it cannot be compared', () => {
    const { effects } = given(isReady(given(deciding(edit), compared(undefined)).state), ...press('y'));
    expect(effects).toMatchObject([{ type: 'approve', id: 'q-1' }]);
  });

  it('keeps others that are listed with it from a yes until all were compared', () => {
    const second = aCallQuestion({ id: 'q-2', approval: { ...own, callId: 'call-2' } });
    const listed = given(deciding(edit, second), ...press('s')).state;
    expect(listed.focus).toMatchObject({ at: 'batch', ids: ['q-1', 'q-2'] });
    const one = given(listed, compared('1')).state;
    expect(given(isReady(one), ...press('y')).effects).toEqual([]);
    const both = given(one, compared('2', 'q-2')).state;
    expect(given(isReady(both), ...press('y')).effects).toMatchObject([{ type: 'decide-all' }]);
  });

  it('of a server waits for no comparison: which files it means nobody knows', () => {
    expect(given(deciding(call), ...press('y')).effects).toMatchObject([{ type: 'approve' }]);
  });
});
