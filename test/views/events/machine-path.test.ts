import { describe, expect, it } from 'vitest';
import { diagramOf } from '../../../src/machines/diagram/model.ts';
import { taskMachine } from '../../../src/machines/task.machine.ts';
import {
  machinePath,
  passagesOf,
  stateText,
  takenBetween,
  waysOn,
} from '../../../src/views/events/machine-path.ts';
import { moveTitle, type Moving } from '../../../src/views/events/move-title.ts';
import { callTitleOfType, titleOfType } from '../../../src/views/events/event-title.ts';
import type { MachineMove } from '../../../src/workflow/history/task-tracks.ts';

const diagram = diagramOf(taskMachine);

/** Moves one after the other, as `event to`, from the state that a task begins in. */
function movesOf(...steps: readonly (readonly [event: string, to: string])[]): MachineMove[] {
  return steps.map(([event, to], at) => ({
    version: at + 1,
    time: new Date(Date.UTC(2026, 0, 31, 12, 0, at)).toISOString(),
    event,
    from: steps[at - 1]?.[1] ?? 'pending',
    to,
  }));
}

const asked = movesOf(
  ['task.started', 'active.starting'],
  ['agent.connected', 'active.working'],
  ['help.requested', 'blocked.question'],
  ['help.answered', 'active.working'],
  ['help.requested', 'blocked.question'],
);
const path = machinePath(diagram, asked, 'blocked.question');

describe('the way through a machine', () => {
  it('has every state of the machine, how often it was entered, and which one holds', () => {
    const flat = path.states.flatMap((state) => [state, ...state.children]);
    expect(flat.filter(({ visits }) => visits > 0).map(({ id, visits }) => [id, visits])).toEqual([
      ['pending', 1],
      ['active', 2],
      ['active.starting', 1],
      ['active.working', 2],
      ['blocked', 2],
      ['blocked.question', 2],
    ]);
    expect(flat.filter(({ isNow }) => isNow).map(({ id }) => id)).toEqual(['blocked', 'blocked.question']);
    expect(flat).toHaveLength(diagram.states.length + 10);
  });

  it('counts what was taken, the latest first', () => {
    expect(path.steps.map(({ event, count }) => `${event} ×${count}`)).toEqual([
      'help.requested ×2',
      'help.answered ×1',
      'agent.connected ×1',
      'task.started ×1',
    ]);
    expect(path.steps[0]?.time).toBe('2026-01-31T12:00:04.000Z');
    expect(path.length).toBe(5);
  });

  it('sums up what leads from one outermost state to another, and names what would where nothing did', () => {
    const passages = new Map(passagesOf(path).map((each) => [`${each.from} ${each.to}`, each]));
    expect(passages.get('active blocked')).toMatchObject({ count: 2, events: [{ event: 'help.requested' }] });
    expect(passages.get('blocked done')).toMatchObject({ count: 0 });
    expect(passages.get('blocked done')?.events).toContainEqual({ event: 'task.completed' });
    expect(takenBetween(path, 'active.starting', 'active.working')).toBe(1);
    expect(takenBetween(path, 'active.working', 'active.retrying')).toBeUndefined();
  });

  it('says where it can go from here', () => {
    const ways = new Map(waysOn(path).map(([{ event }, targets]) => [event, targets]));
    expect(ways.get('task.completed')).toEqual(['done.completed']);
    expect(ways.has('task.started')).toBe(false);
    expect(waysOn(machinePath(diagram, [], 'done.completed'))).toEqual([
      [{ event: 'task.reopened' }, ['pending']],
    ]);
  });

  it('calls what is asked about a call no question, and what comes of it no answer', () => {
    const moves = movesOf(
      ['task.started', 'active.starting'],
      ['agent.connected', 'active.working'],
      ['help.requested', 'blocked.approval'],
      ['help.answered', 'active.working'],
      ['help.requested', 'blocked.question'],
      ['help.answered', 'active.working'],
      ['help.requested', 'blocked.approval'],
    );
    const atCall = machinePath(diagram, moves, 'blocked.approval');
    const titled = (moving: Moving) => moveTitle(moving, { of: titleOfType, ofCall: callTitleOfType });
    expect(atCall.steps.map((step) => `${titled(step)} ×${step.count}`)).toEqual([
      'Approval asked for ×2',
      'Question answered ×1',
      'Question asked ×1',
      'Call decided ×1',
      'Agent connected ×1',
      'Task started ×1',
    ]);
    const next = waysOn(atCall).map(([moving]) => titled(moving));
    expect(next).toEqual(expect.arrayContaining(['Call decided', 'Call dismissed']));
    expect(next).not.toContain('Question answered');
    const atWork = waysOn(machinePath(diagram, moves, 'active.working'));
    const asks = new Map(atWork.map(([moving, targets]) => [titled(moving), targets]));
    expect(asks.get('Approval asked for')).toEqual(['blocked.approval']);
    expect(asks.get('Question asked')).toEqual(['blocked.prompt', 'blocked.question']);
    const passage = passagesOf(atCall).find(({ from, to }) => from === 'blocked' && to === 'active');
    expect(passage?.events.map(titled)).toEqual(['Question answered', 'Call decided']);
  });

  it('starts as often as an attempt did: what the end of an agent led to leads from where that was', () => {
    const failed = machinePath(
      diagram,
      movesOf(
        ['task.started', 'active.starting'],
        ['agent.connected', 'active.working'],
        ['agent.exited', 'active.starting'],
        ['task.retried', 'active.retrying'],
        ['task.started', 'active.starting'],
        ['agent.connected', 'active.working'],
        ['agent.lost', 'active.starting'],
        ['task.failed', 'done.failed'],
      ),
      'done.failed',
    );
    const active = failed.states.find(({ id }) => id === 'active');
    expect(active?.children.map(({ name, visits }) => `${name} ×${visits}`)).toEqual([
      'starting ×2',
      'working ×2',
      'retrying ×1',
    ]);
    expect(failed.steps.map(({ from, event, to }) => `${from} ${event} ${to}`)).toEqual([
      'active.working task.failed done.failed',
      'active.starting agent.connected active.working',
      'active.retrying task.started active.starting',
      'active.working task.retried active.retrying',
      'pending task.started active.starting',
    ]);
    expect(failed.length).toBe(6);
  });

  it('counts a state that is entered anew from itself where the machine has such a way, and nowhere else', () => {
    const again = movesOf(['task.started', 'active.starting'], ['agent.exited', 'active.starting']);
    expect(machinePath(diagram, again, 'active.starting').length).toBe(2);
    const left = movesOf(['task.blocked', 'blocked.question'], ['agent.exited', 'blocked.question']);
    expect(machinePath(diagram, left, 'blocked.question').length).toBe(1);
  });
});

it.each([
  ['pending', 'pending'],
  ['blocked.question', 'blocked: question'],
  ['active.retrying', 'retrying'],
  ['done.failed', 'failed'],
  ['done.completed', 'done'],
])('has a state in people’s words: %s', (id, words) => {
  expect(stateText(id)).toBe(words);
});
