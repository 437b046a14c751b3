import { describe, expect, it } from 'vitest';
import { getAdjacencyMap, getShortestPaths, getStateNodes } from 'xstate/graph';
import type { AnyStateMachine, AnyMachineSnapshot, EventFromLogic } from 'xstate';
import { requestMachine } from '../../src/machines/request.machine.ts';
import { sprintMachine } from '../../src/machines/sprint.machine.ts';
import { taskMachine } from '../../src/machines/task.machine.ts';
import { nameOf, wordOf } from '../../src/machines/status-words.ts';
import type { StatusWord } from '../../src/machines/status-words.ts';
import { fact } from '../helpers/facts.ts';

/** Every event a task knows, with data that makes two attempts, two requests and two runs possible. */
const taskEvents: EventFromLogic<typeof taskMachine>[] = [
  fact('sprint.started', { maxAttempts: 2 }),
  fact('sprint.cancelled'),
  ...[1, 2, 3].map((attempt) => fact('task.started', { attempt, runId: `run-${attempt}` })),
  { type: 'task.started', data: { attempt: 1, by: 'hand' } },
  fact('task.blocked'),
  fact('task.completed', { runId: 'run-1' }),
  fact('task.completed', { by: 'manifest' }),
  fact('task.failed'),
  fact('task.retried', { attempt: 2 }),
  fact('task.retried', { attempt: 3 }),
  fact('task.skipped'),
  fact('task.cancelled'),
  fact('task.reset'),
  fact('agent.connected'),
  fact('agent.exited'),
  fact('agent.lost', { runId: 'run-2' }),
  fact('help.requested', { origin: { agent: 'run-1', runId: 'run-1' } }),
  fact('help.requested', { requestId: 'q-2', kind: 'approval' }),
  fact('help.requested', { requestId: 'q-3', kind: 'prompt' }),
  ...['q-1', 'q-2', 'q-3', 'q-b'].map((requestId) => fact('help.answered', { requestId })),
  fact('help.dismissed'),
];

const sprintEvents: EventFromLogic<typeof sprintMachine>[] = [
  ...[
    { stuck: false, finished: false },
    { stuck: true, finished: false },
    { stuck: false, finished: true },
  ].map((data) => ({ type: 'tasks.counted' as const, data })),
  ...(
    [
      'sprint.created',
      'sprint.amended',
      'sprint.started',
      'sprint.paused',
      'sprint.resumed',
      'sprint.completed',
      'sprint.failed',
      'sprint.cancelled',
      'task.started',
      'task.blocked',
      'task.completed',
      'task.failed',
      'task.retried',
      'task.skipped',
      'task.cancelled',
      'task.reset',
    ] as const
  ).map((type) => fact(type)),
];

const requestEvents: EventFromLogic<typeof requestMachine>[] = (
  [
    'help.answered',
    'help.dismissed',
    'help.delivered',
    'task.completed',
    'task.skipped',
    'task.cancelled',
    'sprint.completed',
    'sprint.cancelled',
  ] as const
).map((type) => fact(type));

const key = (snapshot: unknown) => {
  const { value, context } = snapshot as AnyMachineSnapshot;
  return `${nameOf(value)} ${JSON.stringify(context)}`;
};

/** At most two requests at a time, or the states would have no end. */
const isFarEnough = (snapshot: unknown) => {
  const { open } = (snapshot as AnyMachineSnapshot).context as { open?: unknown[] };
  return (open?.length ?? 0) > 2;
};

/** What can happen in one state, and where it leads. */
type Reached = {
  state: AnyMachineSnapshot;
  transitions: { event: { type: string }; state: AnyMachineSnapshot }[];
};

function walk<M extends AnyStateMachine>(machine: M, events: EventFromLogic<M>[]) {
  const options = { events, serializeState: key, stopWhen: isFarEnough, limit: 100_000 };
  const reached = Object.values(getAdjacencyMap(machine, options)).map(({ state, transitions }): Reached => ({
    state,
    transitions: Object.values(transitions),
  }));
  return { machine, paths: getShortestPaths(machine, options), reached };
}

const walks = [
  ['task', walk(taskMachine, taskEvents)],
  ['sprint', walk(sprintMachine, sprintEvents)],
  ['request', walk(requestMachine, requestEvents)],
] as const;

describe.each(walks)('every path of the %s machine', (_name, { machine, paths, reached }) => {
  it('reaches every state', () => {
    const names = new Set(reached.map(({ state }) => nameOf(state.value)));
    const leaves = getStateNodes(machine)
      .filter((node) => Object.keys(node.states).length === 0)
      .map((node) => node.path.join('.'));
    expect([...names].sort()).toEqual([...new Set(leaves)].sort());
  });

  it('takes legal steps only', () => {
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const [, ...steps] = path.steps;
      let before = path.steps[0]?.state as AnyMachineSnapshot;
      for (const step of steps) {
        expect(before.can(step.event), `${step.event.type} in ${key(before)}`).toBe(true);
        before = step.state as AnyMachineSnapshot;
      }
    }
  });

  it('moves only when the event is legal', () => {
    const moved = reached.flatMap(({ state: before, transitions }) =>
      transitions
        .filter(({ event, state: after }) => !before.can(event) && key(after) !== key(before))
        .map(({ event }) => `${event.type} in ${key(before)}`),
    );
    expect(moved).toEqual([]);
  });

  it('survives a round trip through JSON in every state', () => {
    for (const { value, context } of reached.map(({ state }) => state)) {
      const restored = machine.resolveState(JSON.parse(JSON.stringify({ value, context })));
      expect(key(restored)).toBe(key({ value, context }));
    }
  });
});

describe('the four words', () => {
  const allowed: Record<StatusWord, StatusWord[]> = {
    pending: ['active', 'blocked', 'done'],
    active: ['blocked', 'done'],
    blocked: ['active', 'done'],
    done: ['pending', 'active', 'blocked'],
  };

  it.each(walks.slice(0, 2))('change in one order only, in the %s machine', (_name, { reached }) => {
    const wrong = reached.flatMap(({ state, transitions }) => {
      const before = wordOf(state.value);
      return transitions
        .map(({ event, state: next }) => ({ event, after: wordOf(next.value) }))
        .filter(({ after }) => after !== before && !allowed[before].includes(after))
        .map(({ event, after }) => `${before} to ${after} by ${event.type}`);
    });
    expect(wrong).toEqual([]);
  });
});
