import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { toMermaid } from '../../src/machines/diagram/mermaid.ts';
import { diagramOf } from '../../src/machines/diagram/model.ts';
import type { DiagramState } from '../../src/machines/diagram/model.ts';
import { requestMachine } from '../../src/machines/request.machine.ts';
import { sprintMachine } from '../../src/machines/sprint.machine.ts';
import { taskMachine } from '../../src/machines/task.machine.ts';
import { parseMermaid } from '../helpers/parse-mermaid.ts';

const machines = { task: taskMachine, sprint: sprintMachine, request: requestMachine };

function allStates(states: readonly DiagramState[]): DiagramState[] {
  return states.flatMap((state) => [state, ...allStates(state.children)]);
}

describe('diagramOf', () => {
  it('knows the states of a machine, nested', () => {
    const { name, states } = diagramOf(taskMachine);
    expect(name).toBe('task');
    expect(states.map(({ id }) => id)).toEqual(['pending', 'active', 'blocked', 'done']);
    expect(states[1]?.children).toEqual([
      { id: 'active.starting', name: 'starting', isInitial: true, isEnd: false, children: [] },
      { id: 'active.working', name: 'working', isInitial: false, isEnd: false, children: [] },
      { id: 'active.retrying', name: 'retrying', isInitial: false, isEnd: false, children: [] },
    ]);
  });

  it('knows what nothing leads out of', () => {
    const ends = (machine: Parameters<typeof diagramOf>[0]) =>
      allStates(diagramOf(machine).states)
        .filter(({ isEnd }) => isEnd)
        .map(({ id }) => id);
    // A completed task goes on where its changes could not be merged.
    expect(ends(taskMachine)).toEqual([]);
    expect(ends(sprintMachine)).toEqual(['done.cancelled']);
    expect(ends(requestMachine)).toEqual(['delivered', 'dismissed']);
  });

  it('names the guards', () => {
    expect(diagramOf(taskMachine).transitions).toContainEqual({
      source: 'active.starting',
      target: 'active.working',
      event: 'agent.connected',
      guard: 'isOwnRun',
    });
  });

  it('leaves out what stays where it is', () => {
    const { transitions } = diagramOf(sprintMachine);
    expect(transitions.filter(({ source, target }) => source === target)).toEqual([]);
    expect(transitions.map(({ event }) => event)).not.toContain('task.started');
  });

  it('draws a transition of the machine itself from each outermost state', () => {
    const machine = setup({}).createMachine({
      id: 'lamp',
      initial: 'off',
      on: { break: '.broken' },
      states: { off: { on: { press: { guard: () => true, target: 'on' } } }, on: {}, broken: {} },
    });
    expect(diagramOf(machine).transitions).toEqual([
      { source: 'off', target: 'broken', event: 'break', guard: undefined },
      { source: 'on', target: 'broken', event: 'break', guard: undefined },
      { source: 'broken', target: 'broken', event: 'break', guard: undefined },
      { source: 'off', target: 'on', event: 'press', guard: 'condition' },
    ]);
  });
});

describe('toMermaid', () => {
  it('prints a machine', () => {
    expect(toMermaid(diagramOf(requestMachine), [{ state: 'open', who: 'q-1' }])).toBe(`---
title: request
---
stateDiagram-v2
  state "open<br/>q-1" as open
  [*] --> open
  state "answered" as answered
  state "delivered" as delivered
  state "dismissed" as dismissed
  open --> answered : help.answered
  open --> dismissed : help.dismissed<br/>task.completed<br/>task.skipped<br/>task.cancelled<br/>sprint.completed<br/>sprint.cancelled
  answered --> delivered : help.delivered
  delivered --> [*]
  dismissed --> [*]
  classDef now fill:#fde68a,stroke:#b45309,stroke-width:3px,color:#1f2937
  class open now
`);
  });

  it.each(Object.entries(machines))('prints all of the %s machine as valid Mermaid', (_name, machine) => {
    const diagram = diagramOf(machine);
    const parsed = parseMermaid(toMermaid(diagram));
    const word = (id: string) => id.replaceAll('.', '_');
    expect(parsed.states).toEqual(allStates(diagram.states).map(({ id }) => word(id)));
    const arrows = diagram.transitions.flatMap(
      ({ source, target, event, guard }) =>
        `${word(source)} --> ${word(target)}: ${event}${guard === undefined ? '' : ` [${guard}]`}`,
    );
    const drawn = parsed.arrows.flatMap(({ source, target, labels }) =>
      labels.map((label) => `${source} --> ${target}: ${label}`),
    );
    expect(drawn.toSorted()).toEqual([...new Set(arrows)].toSorted());
  });

  it('marks every state that something is in, and who', () => {
    const marks = [
      { state: 'blocked.question', who: 'a' },
      { state: 'blocked.question', who: 'b' },
      { state: 'pending', who: 'c' },
    ];
    const parsed = parseMermaid(toMermaid(diagramOf(taskMachine), marks));
    expect(parsed.marked).toEqual(['blocked_question', 'pending']);
    expect(parsed.labels.get('blocked_question')).toBe('question<br/>a<br/>b');
  });

  it('keeps names that mean something in Mermaid from breaking out of their label', () => {
    const who = 'a"; click x "javascript:alert(1)" # <b>\n[*] --> done';
    const parsed = parseMermaid(toMermaid(diagramOf(requestMachine), [{ state: 'open', who }]));
    expect(parsed.states).toEqual(['open', 'answered', 'delivered', 'dismissed']);
    expect(parsed.labels.get('open')).toMatch(/^open<br\/>a'/);
  });
});
