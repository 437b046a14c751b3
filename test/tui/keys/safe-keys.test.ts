import { describe, expect, it } from 'vitest';
import { remarksOf } from '../../../src/tui/screen/remarks.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { Room } from '../../../src/tui/terminal/room.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { helpFrom } from '../../../src/tui/keys/help-focus.ts';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { emptyBuffer } from '../../../src/tui/text/text-buffer.ts';
import type { AgentView } from '../../../src/views/sprints/describe-sprint.ts';
import {
  aCallQuestion,
  answering,
  aQuestion,
  aSprint,
  aTask,
  deciding,
  room,
  typed,
} from '../../helpers/screen-views.ts';

const agent: AgentView = {
  runId: 'run-1',
  pid: 7,
  name: 'demo-agent',
  isKnown: true,
  startedAt: '2026-01-31T11:59:00.000Z',
  connectedAt: undefined,
};
const atWork = aSprint({ tasks: [aTask({ state: 'active', detail: 'working', attempt: 1, agent })] });
const running = initialState({ isOwner: true, sprint: atWork });
const watching = initialState({ isOwner: false, sprint: atWork });
/** With a question, while its agent works on. */
const asked = (state: ScreenState) => ({ ...state, sprint: { ...state.sprint, tasks: atWork.tasks } });

function given(state: ScreenState, ...events: ScreenEvent[]) {
  const effects: Effect[] = [];
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects: effects.filter(({ type }) => type !== 'load') };
}

const key = (name: string, over: Partial<Room> = {}): ScreenEvent => ({
  type: 'keys',
  strokes: name.length === 1 ? typed(name) : typed('', name),
  room: { ...room, ...over },
});
const press = (state: ScreenState, ...keys: string[]) => given(state, ...keys.map((name) => key(name)));
const armed = ({ focus }: ScreenState): ScreenEvent => ({ type: 'armed', focus });
const says = (state: ScreenState, secondsLeft?: number) =>
  remarksOf(state, secondsLeft).map(({ text }) => text);

describe('Ctrl+C', () => {
  it('asks before it stops agents, stops them when it is pressed again, and then ends them at once', () => {
    const first = press(running, 'ctrl+c');
    expect(first.effects).toEqual([]);
    expect(says(first.state)).toEqual(['Ctrl+C again stops 1 agent']);

    const second = press(first.state, 'ctrl+c');
    expect(second.effects).toEqual([{ type: 'stop', key: 'Ctrl-C' }]);
    const { state } = given(second.state, { type: 'stopping', endsAt: 5_000 });
    expect(state).toMatchObject({ isStopping: true, endsAt: 5_000 });
    expect(says(state, 4)).toEqual(['Stopping 1 agent, 4 s left. Ctrl+C again ends it at once']);

    expect(press(state, 'ctrl+c').effects).toEqual([{ type: 'kill' }]);
  });

  it('clears what was typed first, and asks then', () => {
    const typing = press(asked(answering(aQuestion())), 'a', 'b', 'ctrl+c');
    expect(typing.state.drafts.get('q-1')?.text).toBe('');
    expect(typing.state.focus).toEqual({ at: 'answer' });
    expect(typing.effects).toEqual([]);
    expect(press(typing.state, 'ctrl+c').state.focus.at).toBe('stop');
  });

  const reason = { text: 'no', cursor: 2 };
  const act = { act: 'skip', task: 'parser', reason: emptyBuffer } as const;
  it.each<[Focus, Focus['at']]>([
    [{ at: 'filter' }, 'sprint'],
    [helpFrom({ at: 'sprint' }), 'sprint'],
    [{ ...helpFrom<Focus>({ at: 'sprint' }), find: reason, isFinding: true }, 'help'],
    [{ at: 'act', ...act }, 'sprint'],
    [{ at: 'act-sure', isArmed: true, ...act, reason }, 'sprint'],
    [{ at: 'reject', back: 'answer' }, 'arming'],
    [{ at: 'reject', back: 'sprint' }, 'sprint'],
    [{ at: 'reject', back: 'batch', ids: ['q-1'] }, 'batch'],
    [{ at: 'confirm', isArmed: true, back: 'answer' }, 'answer'],
    [{ at: 'edit' }, 'arming'],
    [{ at: 'explain' }, 'arming'],
    [{ at: 'scope', isArmed: true, picked: undefined }, 'arming'],
    [{ at: 'batch', isArmed: true, ids: ['q-1'] }, 'arming'],
  ])('closes %j, and stops nothing', (focus, at) => {
    const { state, effects } = press({ ...asked(deciding(aCallQuestion())), focus }, 'ctrl+c');
    expect(state.focus.at).toBe(at);
    expect(effects).toEqual([]);
  });

  it('leaves a screen that only watches, when nothing is typed', () => {
    expect(press(watching, 'ctrl+c').effects).toEqual([{ type: 'leave' }]);
    const typing = { ...answering(aQuestion()), isOwner: false };
    expect(press(typing, 'a', 'ctrl+c').effects).toEqual([]);
  });

  it('asks nothing when no agent is at work', () => {
    const idle = initialState({ isOwner: true, sprint: aSprint() });
    expect(press(idle, 'ctrl+c').effects).toEqual([{ type: 'stop', key: 'Ctrl-C' }]);
  });

  it('asks, too, where nothing can be seen, and clears nothing there', () => {
    const typing = press(asked(answering(aQuestion())), 'a').state;
    const { state } = given(typing, key('ctrl+c', { isTooSmall: true }));
    expect(state.focus.at).toBe('stop');
    expect(state.drafts.get('q-1')?.text).toBe('a');
    const { effects } = given(state, key('ctrl+c', { isTooSmall: true }));
    expect(effects).toEqual([{ type: 'stop', key: 'Ctrl-C' }]);
  });
});

describe('q on a run', () => {
  it('asks what becomes of it, and takes no answer before that was seen', () => {
    const { state, effects } = press(running, 'q', 'q', 'g');
    expect(effects).toEqual([]);
    expect(says(state)).toEqual([
      'What becomes of the run? q stops 1 agent, g goes on without the screen',
      'That key came before this could be read: press it again',
    ]);
    expect(says(press(running, 'q', 'u').state)).toHaveLength(1);
    const seen = given(state, armed(state)).state;
    expect(press(seen, 'q')).toMatchObject({
      state: { isStopping: true },
      effects: [{ type: 'stop', key: 'q' }],
    });
    expect(press(seen, 'g')).toMatchObject({ state: { isStopping: false }, effects: [{ type: 'detach' }] });
    expect(press(seen, 'escape')).toMatchObject({ state: { focus: { at: 'sprint' } }, effects: [] });
    expect(given(seen, { type: 'keys', strokes: typed('quit'), room }).effects).toEqual([]);
  });

  it('asks, too, while no agent is at work: it may go on', () => {
    const { state } = press(initialState({ isOwner: true, sprint: aSprint() }), 'q');
    expect(says(state)).toEqual(['What becomes of the run? q stops the run, g goes on without the screen']);
  });

  it('leaves a screen that only watches at once', () => {
    expect(press(watching, 'q').effects).toEqual([{ type: 'leave' }]);
  });
});

it('who stays goes on where he was: a call can be decided once nobody typed for a moment', () => {
  const { state } = press(asked(deciding(aCallQuestion())), 'ctrl+c', 'escape');
  expect(state.focus.at).toBe('arming');
});

it('Ctrl+Z gives the terminal back, wherever one is, and changes nothing', () => {
  for (const state of [running, asked(answering(aQuestion())), asked(deciding(aCallQuestion()))]) {
    const { state: after, effects } = press(state, 'ctrl+z');
    expect(effects).toEqual([{ type: 'suspend' }]);
    expect(after.focus).toBe(state.focus);
  }
});

it('a question mark alone in the box of a question is text, and says where the keys are listed', () => {
  const { state } = press(answering(aQuestion()), '?');
  expect(state.drafts.get('q-1')?.text).toBe('?');
  expect(says(state)).toEqual(['For the keys: Esc, then ?. Enter sends this as the answer']);
  expect(says(press(state, '!').state)).toEqual([]);
});
