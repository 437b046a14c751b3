import { assign, setup } from 'xstate';
import type { RequestKind } from '../events/descriptors/help-events.ts';
import type { Fact } from './fact.ts';
import type { Reaching } from './reaching.ts';

/** The events a task knows. */
export type TaskEvent = Fact<Reaching<'task'>>;

type OpenRequest = { readonly requestId: string; readonly kind: RequestKind };

/** What a task remembers beside its state. */
export type TaskContext = {
  /** Failed attempts that end the task, as the last `sprint.started` said. */
  readonly maxAttempts: number;
  /** Number of the last attempt that was started, 0 before the first. */
  readonly attempt: number;
  /** Attempts that failed since the last reset. */
  readonly failures: number;
  /** The run of the current attempt, while it may still act. */
  readonly runId: string | null;
  /** True while an agent that no runner started works on the task. */
  readonly byHand: boolean;
  /** Requests that block the task, oldest first. */
  readonly open: readonly OpenRequest[];
};

type Args = { context: TaskContext; event: TaskEvent };

/** The requests that still block the task after this event. */
function stillOpen({ context, event }: Args): readonly OpenRequest[] {
  if (event.type !== 'help.answered' && event.type !== 'help.dismissed') return context.open;
  return context.open.filter(({ requestId }) => requestId !== event.data.requestId);
}

function closesOne(args: Args): boolean {
  return stillOpen(args).length < args.context.open.length;
}

/** Closes a request, and the oldest of those that are left is of this kind. */
function leaves(args: Args, kind: RequestKind): boolean {
  return closesOne(args) && stillOpen(args)[0]?.kind === kind;
}

/** The request this event opens. */
function openedBy({ event }: Args): readonly OpenRequest[] {
  if (event.type === 'help.requested') return [{ requestId: event.data.requestId, kind: event.data.kind }];
  if (event.type === 'task.blocked') return [{ requestId: event.data.requestId, kind: 'help' }];
  return [];
}

/** The run an event claims to come from. `undefined`: from no attempt, e.g. a human's decision. */
function runIdOf(event: TaskEvent): string | undefined {
  if (event.type === 'help.requested') return event.data.origin.runId;
  return 'runId' in event.data ? event.data.runId : undefined;
}

/** An event of an attempt that has ended is refused. */
function mayAct({ context, event }: Args): boolean {
  const runId = runIdOf(event);
  return runId === undefined || runId === context.runId;
}

/** The next attempt may start: no run of an earlier one may still act. */
function isFree({ context, event }: Args): boolean {
  return (
    event.type === 'task.started' && context.runId === null && event.data.attempt === context.attempt + 1
  );
}

/** Somebody is, or will be, there to be told. The task stays where it is. */
const takesNotes = { 'note.sent': { actions: 'hearNote' } } as const;

/** Ways to end a task that a human has at any time before it is done. */
const humanEndings = {
  'task.skipped': { target: '#task.done.skipped', actions: 'endAttempt' },
  'task.cancelled': { target: '#task.done.cancelled', actions: 'endAttempt' },
  'sprint.cancelled': { target: '#task.done.cancelled', actions: 'endAttempt' },
} as const;

/** Where a task goes when one of its requests is closed: on with the oldest that is left, or back to work. */
const closing = [
  { guard: 'closesLastAttended', target: 'active.working', actions: 'closeRequest' },
  { guard: 'closesLast', target: 'active.starting', actions: 'closeRequest' },
  { guard: 'leavesApproval', target: '.approval', actions: 'closeRequest' },
  { guard: 'leavesPrompt', target: '.prompt', actions: 'closeRequest' },
  { guard: 'closesOne', target: '.question', actions: 'closeRequest' },
] as const;

/**
 * One task: pending → active → blocked → done.
 *
 * Consumes the log's own events and does nothing itself. An event that names a run is only legal
 * while that run is the current attempt's; `done` is a plain state, so that a reset can leave it.
 */
export const taskMachine = setup({
  types: { context: {} as TaskContext, events: {} as TaskEvent },
  guards: {
    isFree,
    isFreeByHand: (args) => isFree(args) && runIdOf(args.event) === undefined,
    wasDoneInManifest: ({ event }) => event.type === 'task.completed' && event.data.by === 'manifest',
    mayAct,
    mayAskApproval: (args) => mayAct(args) && openedBy(args)[0]?.kind === 'approval',
    mayAskPrompt: (args) => mayAct(args) && openedBy(args)[0]?.kind === 'prompt',
    isOwnRun: ({ context, event }) => context.runId !== null && runIdOf(event) === context.runId,
    hasAttemptsLeft: ({ context, event }) =>
      event.type === 'task.retried' &&
      event.data.attempt === context.attempt + 1 &&
      context.failures + 1 < context.maxAttempts,
    closesOne,
    closesLast: (args) => closesOne(args) && stillOpen(args).length === 0,
    closesLastAttended: (args) =>
      closesOne(args) && stillOpen(args).length === 0 && (args.context.runId !== null || args.context.byHand),
    leavesApproval: (args) => leaves(args, 'approval'),
    leavesPrompt: (args) => leaves(args, 'prompt'),
  },
  actions: {
    noteLimits: assign(({ event }) =>
      event.type === 'sprint.started' ? { maxAttempts: event.data.maxAttempts } : {},
    ),
    beginAttempt: assign(({ event }) =>
      event.type === 'task.started'
        ? {
            attempt: event.data.attempt,
            runId: event.data.runId ?? null,
            byHand: event.data.runId === undefined,
          }
        : {},
    ),
    countFailure: assign(({ context }) => ({ failures: context.failures + 1, runId: null, byHand: false })),
    endRun: assign({ runId: null }),
    endAttempt: assign({ runId: null, byHand: false, open: [] }),
    openRequest: assign((args) => ({ open: [...args.context.open, ...openedBy(args)] })),
    closeRequest: assign((args) => ({ open: stillOpen(args) })),
    forgetFailures: assign({ failures: 0 }),
    // Without an action it would be none that is possible.
    hearNote: assign({}),
  },
}).createMachine({
  id: 'task',
  context: { maxAttempts: 1, attempt: 0, failures: 0, runId: null, byHand: false, open: [] },
  initial: 'pending',
  on: { 'sprint.started': { actions: 'noteLimits' } },
  states: {
    pending: {
      on: {
        ...humanEndings,
        ...takesNotes,
        'task.started': [
          { guard: 'isFreeByHand', target: 'active.working', actions: 'beginAttempt' },
          { guard: 'isFree', target: 'active.starting', actions: 'beginAttempt' },
        ],
        'task.completed': { guard: 'wasDoneInManifest', target: 'done.completed' },
      },
    },
    active: {
      initial: 'starting',
      on: {
        ...humanEndings,
        ...takesNotes,
        'task.started': [
          { guard: 'isFreeByHand', target: '.working', actions: 'beginAttempt' },
          { guard: 'isFree', target: '.starting', actions: 'beginAttempt' },
        ],
        'help.requested': [
          { guard: 'mayAskApproval', target: 'blocked.approval', actions: 'openRequest' },
          { guard: 'mayAskPrompt', target: 'blocked.prompt', actions: 'openRequest' },
          { guard: 'mayAct', target: 'blocked.question', actions: 'openRequest' },
        ],
        'task.blocked': { guard: 'mayAct', target: 'blocked.question', actions: 'openRequest' },
        'task.completed': { guard: 'mayAct', target: 'done.completed', actions: 'endAttempt' },
        'task.failed': { guard: 'mayAct', target: 'done.failed', actions: ['countFailure', 'endAttempt'] },
        'task.retried': { guard: 'hasAttemptsLeft', target: '.retrying', actions: 'countFailure' },
        'agent.exited': { guard: 'isOwnRun', target: '.starting', actions: 'endRun' },
        'agent.lost': { guard: 'isOwnRun', target: '.starting', actions: 'endRun' },
      },
      states: {
        /** No agent has said hello yet: one is being started, or has to be. */
        starting: { on: { 'agent.connected': { guard: 'isOwnRun', target: 'working' } } },
        working: {},
        /** Waits out the delay before the next attempt. */
        retrying: {},
      },
    },
    blocked: {
      initial: 'question',
      on: {
        ...humanEndings,
        ...takesNotes,
        'help.requested': { guard: 'mayAct', actions: 'openRequest' },
        'task.blocked': { guard: 'mayAct', actions: 'openRequest' },
        'help.answered': closing,
        'help.dismissed': closing,
        'task.completed': { guard: 'mayAct', target: 'done.completed', actions: 'endAttempt' },
        'agent.exited': { guard: 'isOwnRun', actions: 'endRun' },
        'agent.lost': { guard: 'isOwnRun', actions: 'endRun' },
        'agent.parked': { guard: 'isOwnRun', actions: 'endRun' },
      },
      states: { question: {}, approval: {}, prompt: {} },
    },
    done: {
      initial: 'completed',
      states: {
        completed: { on: { 'task.reopened': { target: '#task.pending', actions: 'forgetFailures' } } },
        failed: {
          on: {
            ...takesNotes,
            'task.reset': { target: '#task.pending', actions: 'forgetFailures' },
            'task.skipped': 'skipped',
            'task.cancelled': 'cancelled',
            'sprint.cancelled': 'cancelled',
          },
        },
        skipped: { on: { 'task.reset': { target: '#task.pending', actions: 'forgetFailures' } } },
        cancelled: { on: { 'task.reset': { target: '#task.pending', actions: 'forgetFailures' } } },
      },
    },
  },
});
