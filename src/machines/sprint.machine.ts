import { assign, setup } from 'xstate';
import type { Fact } from './fact.ts';
import type { Reaching } from './reaching.ts';

/**
 * What the sprint's tasks add up to. The only event a machine gets that is not in the log: the
 * fold derives it, after the tasks, whenever it changed.
 */
export type TasksCounted = {
  readonly type: 'tasks.counted';
  readonly data: {
    /** At least one task is blocked and none is active. */
    readonly stuck: boolean;
    /** Every task is completed, skipped or cancelled. */
    readonly finished: boolean;
  };
};

/** The events a sprint knows. */
export type SprintEvent = TasksCounted | Fact<Reaching<'sprint'>>;

/** What a sprint remembers beside its state: what its tasks added up to last. */
export type SprintContext = TasksCounted['data'];

/** A human may edit the plan in every state but the last ones. */
const planEdits = {
  'sprint.amended': { actions: 'accept' },
  'task.skipped': { actions: 'accept' },
  'task.cancelled': { actions: 'accept' },
  'task.reset': { actions: 'accept' },
} as const;

/** What the agents of a sprint that was started may report, paused or not. */
const taskReports = {
  'task.blocked': { actions: 'accept' },
  'task.completed': { actions: 'accept' },
  'task.failed': { actions: 'accept' },
  'task.retried': { actions: 'accept' },
  'task.reopened': { actions: 'accept' },
} as const;

const endings = {
  'sprint.completed': { guard: 'isFinished', target: '#sprint.done.completed' },
  'sprint.failed': '#sprint.done.failed',
  'sprint.cancelled': '#sprint.done.cancelled',
} as const;

/**
 * One sprint: pending → active → blocked → done, in words its tasks share.
 *
 * It has a say in its tasks' events, too: `accept` marks those it allows and that change nothing
 * here. `absent` is the state of a stream without `sprint.created`, e.g. `adhoc`.
 */
export const sprintMachine = setup({
  types: { context: {} as SprintContext, events: {} as SprintEvent },
  guards: {
    isFinished: ({ context }) => context.finished,
    isStuck: ({ context }) => context.stuck,
    becomesStuck: ({ event }) => event.type === 'tasks.counted' && event.data.stuck,
    wasDoneInManifest: ({ event }) => event.type === 'task.completed' && event.data.by === 'manifest',
  },
  actions: {
    /** `can` is true only for a transition that has a target or an action. */
    accept: () => {},
    count: assign(({ event }) => (event.type === 'tasks.counted' ? event.data : {})),
  },
}).createMachine({
  id: 'sprint',
  context: { stuck: false, finished: false },
  initial: 'absent',
  states: {
    absent: { on: { 'sprint.created': 'pending' } },
    pending: {
      on: {
        ...planEdits,
        'sprint.started': [{ guard: 'isStuck', target: 'blocked' }, { target: 'active.running' }],
        // Before its start: a sprint that was finished before Clifford saw it.
        'sprint.completed': { guard: 'isFinished', target: 'done.completed' },
        'sprint.cancelled': 'done.cancelled',
        'task.completed': { guard: 'wasDoneInManifest', actions: 'accept' },
        'tasks.counted': { actions: 'count' },
      },
    },
    active: {
      initial: 'running',
      on: { ...planEdits, ...taskReports, ...endings },
      states: {
        running: {
          on: {
            'sprint.started': { actions: 'accept' },
            'sprint.paused': 'paused',
            'task.started': { actions: 'accept' },
            'tasks.counted': [
              { guard: 'becomesStuck', target: '#sprint.blocked', actions: 'count' },
              { actions: 'count' },
            ],
          },
        },
        paused: {
          on: {
            'sprint.started': { actions: 'accept' },
            'sprint.resumed': [{ guard: 'isStuck', target: '#sprint.blocked' }, { target: 'running' }],
            'tasks.counted': { actions: 'count' },
          },
        },
      },
    },
    blocked: {
      on: {
        ...planEdits,
        ...taskReports,
        ...endings,
        'sprint.started': { actions: 'accept' },
        'sprint.paused': 'active.paused',
        'task.started': { actions: 'accept' },
        'tasks.counted': [
          { guard: 'becomesStuck', actions: 'count' },
          { target: 'active.running', actions: 'count' },
        ],
      },
    },
    done: {
      initial: 'completed',
      on: { 'tasks.counted': { actions: 'count' } },
      states: {
        completed: {
          on: {
            'sprint.amended': '#sprint.pending',
            // It was completed on a machine that is gone with what had not left it.
            'work.lost': '#sprint.active.running',
            'offer.unmerged': '#sprint.active.running',
          },
        },
        failed: {
          on: {
            'sprint.amended': '#sprint.pending',
            'sprint.cancelled': 'cancelled',
            'sprint.started': [
              { guard: 'isStuck', target: '#sprint.blocked' },
              { target: '#sprint.active.running' },
            ],
            'task.reset': '#sprint.pending',
            'task.skipped': '#sprint.pending',
          },
        },
        cancelled: {},
      },
    },
  },
});
