import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import { applyEvent } from '../../src/machines/fold.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import {
  fromSnapshot,
  limitsSchema,
  pinsFromSnapshot,
  pinsSchema,
  pinsToSnapshot,
  policyRulesSchema,
  toSnapshot,
} from '../../src/machines/project-snapshot.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import type { ProjectState } from '../../src/machines/project-state.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';

const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` }));
const requestIds = ['q-1', 'q-2', 'q-3', 'q-b'];
const runIds = [undefined, 'run-1', 'run-2'];

const types: readonly EventType[] = [
  'sprint.started',
  'sprint.paused',
  'sprint.resumed',
  'sprint.completed',
  'sprint.failed',
  'sprint.amended',
  'task.started',
  'task.started',
  'task.started',
  'task.blocked',
  'task.completed',
  'task.failed',
  'task.retried',
  'task.skipped',
  'task.cancelled',
  'task.reset',
  'agent.started',
  'agent.limited',
  'agent.continued',
  'agent.usage',
  'agent.connected',
  'agent.exited',
  'agent.lost',
  'help.requested',
  'help.requested',
  'help.answered',
  'help.answered',
  'help.dismissed',
  'help.delivered',
  'help.attached',
  'help.detached',
  'tool.requested',
  'tool.allowed',
  'tool.pinned',
  'policy.ruleadded',
  'policy.ruleremoved',
  'uat.reported',
  'changelog.updated',
  'sprint.cancelled',
];

/** A step of a random history: turned into a candidate that fits the state, most of the time. */
const step = fc.record({
  type: fc.constantFrom(...types),
  task: fc.constantFrom('a', 'b', 'c', 'nobody'),
  requestId: fc.constantFrom(...requestIds),
  runId: fc.constantFrom(...runIds),
  attemptOff: fc.constantFrom(1, 1, 1, 1, 0, 2),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The requests that a tool call waits for. */
const isApproval = (requestId: string) => requestId === 'q-3';
const verdictFor = (requestId: string) =>
  isApproval(requestId) ? ({ verdict: 'approved', scope: 'once' } as const) : {};

function candidate(history: History, { type, task, requestId, runId, attemptOff }: Step): Candidate {
  const subject =
    type.startsWith('sprint.') || (type.startsWith('help.') && task === 'nobody') ? 'demo' : `demo/${task}`;
  const attempt = (history.sprint().tasks.get(task)?.machine.context.attempt ?? 0) + attemptOff;
  const run = runId === undefined ? {} : { runId };
  switch (type) {
    case 'sprint.started':
      return on(
        subject,
        type,
        task === 'nobody' ? {} : { limits: [{ id: task, maxAttempts: attemptOff + 1 }] },
      );
    case 'task.started':
      return { type, subject, data: { attempt, by: 'x', ...run } };
    case 'task.retried':
      return on(subject, type, { attempt });
    case 'task.completed':
      return { type, subject, data: { by: 'x', ...run } };
    case 'task.blocked':
      return { type, subject, data: { requestId, by: 'x', reason: 'r', ...run } };
    case 'agent.started':
      return on(subject, type, { ...run, agent: attemptOff === 1 ? 'main' : 'other' });
    case 'agent.limited':
    case 'agent.continued':
    case 'agent.usage':
    case 'tool.requested':
      return on(subject, type, run);
    case 'help.requested':
      return on(subject, type, {
        requestId,
        origin: { agent: runId ?? 'session', ...run },
        ...(isApproval(requestId) ? { kind: 'approval', approval } : {}),
      });
    case 'help.answered':
      return on(subject, type, { requestId, ...(attemptOff === 1 ? verdictFor(requestId) : {}) });
    case 'tool.allowed':
      return on(subject, type, { callId: task, by: 'x', requestId });
    case 'tool.pinned':
      return on(subject, type, { tools: { [task]: requestId }, ...(runId === undefined ? {} : { by: 'x' }) });
    case 'policy.ruleadded':
      return on(subject, type, {
        ruleId: requestId,
        scope: runId === undefined ? { kind: 'always' } : { kind: 'task', stream: 'demo', taskId: task },
      });
    case 'policy.ruleremoved':
      return on(subject, type, { ruleId: requestId });
    case 'help.dismissed':
    case 'help.delivered':
    case 'help.attached':
    case 'help.detached':
      return on(subject, type, { requestId });
    default:
      return on(subject, type);
  }
}

function build(steps: readonly Step[]): History {
  const history = new History(on('demo', 'sprint.created', { tasks }));
  for (const each of steps) history.add(candidate(history, each));
  return history;
}

type Saved = Readonly<Record<'limits' | 'policyRules' | 'pins', unknown>> & {
  readonly streams: readonly unknown[];
};

const json = ({ streams, limits, policyRules, pins }: ProjectState): Saved =>
  JSON.parse(
    JSON.stringify({
      streams: streams.values().map(toSnapshot),
      limits,
      policyRules,
      pins: pinsToSnapshot(pins),
    }),
  );

function restore({ streams: snapshots, limits, policyRules, pins }: Saved): ProjectState {
  const state = createProjectState({
    limits: limitsSchema.parse(limits),
    policyRules: policyRulesSchema.parse(policyRules),
    pins: pinsFromSnapshot(pinsSchema.parse(pins)),
  });
  for (const sprint of snapshots.map(fromSnapshot)) state.streams.set(sprint.id, sprint);
  return state;
}

const histories = fc.array(step, { maxLength: 80 });
const runs = { numRuns: 300 };

describe('random histories of legal events', () => {
  it('lead to the same state when they are replayed', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const history = build(steps);
        const again = createProjectState();
        for (const event of history.events) applyEvent(again, event);
        expect(json(again)).toEqual(json(history.state));
      }),
      runs,
    );
  });

  it('can be cut anywhere: a restored prefix goes on as if nothing had happened', () => {
    fc.assert(
      fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), (steps, where) => {
        const history = build(steps);
        const cut = Math.floor(where * history.events.length);
        const prefix = createProjectState();
        for (const event of history.events.slice(0, cut)) applyEvent(prefix, event);
        const restored = restore(json(prefix));
        for (const event of history.events.slice(cut)) applyEvent(restored, event);
        expect(json(restored)).toEqual(json(history.state));
      }),
      runs,
    );
  });

  it('count the tasks right', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { tally, machine, tasks: all } = build(steps).sprint();
        const names = [...all.values()].map((task) => nameOf(task.machine.value));
        const outer = (word: string) => names.filter((name) => name.split('.')[0] === word).length;
        const failed = names.filter((name) => name === 'done.failed').length;
        expect(tally).toEqual({
          pending: outer('pending'),
          active: outer('active'),
          blocked: outer('blocked'),
          failed,
          ended: outer('done') - failed,
        });
        const { pending, active, blocked } = tally;
        const stuck = blocked > 0 && active === 0;
        const holds: Record<string, boolean> = {
          blocked: stuck,
          'active.running': !stuck,
          'done.completed': pending + active + blocked + failed === 0,
        };
        expect(holds[nameOf(machine.value)] ?? true).toBe(true);
      }),
      runs,
    );
  });

  it('block a task exactly while one of its requests is open', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const sprint = build(steps).sprint();
        for (const { id, machine } of sprint.tasks.values()) {
          const open = [...sprint.requests.values()].filter((r) => r.phase === 'open' && r.taskId === id);
          expect(machine.context.open.map(({ requestId }) => requestId)).toEqual(open.map((r) => r.id));
          expect(nameOf(machine.value).startsWith('blocked')).toBe(open.length > 0);
        }
      }),
      runs,
    );
  });

  it('never lead into a state without a way out', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const history = build(steps);
        bringHome(history);
        expect(nameOf(history.sprint().machine.value)).toMatch(/^done\.(completed|cancelled)$/);
        expect([...history.sprint().requests.values()].filter(({ phase }) => phase === 'open')).toEqual([]);
      }),
      runs,
    );
  });
});

/** Brings any sprint to its end as a runner and a human would. Each step has to be legal. */
function bringHome(history: History): void {
  const must = (next: Candidate) =>
    expect(history.add(next), `${next.type} on ${next.subject}`).toEqual({ legal: true });
  const sprintName = () => nameOf(history.sprint().machine.value);
  const answerAll = () => {
    for (const { id, phase, taskId } of history.sprint().requests.values()) {
      const subject = taskId === undefined ? 'demo' : `demo/${taskId}`;
      if (phase === 'open') must(on(subject, 'help.answered', { requestId: id, ...verdictFor(id) }));
    }
  };
  // A question to a sprint that is over can still be answered.
  if (sprintName() === 'done.cancelled' || sprintName() === 'done.completed') return answerAll();
  for (const { id, machine } of history.sprint().tasks.values()) {
    if (nameOf(machine.value) === 'done.failed') must(on(`demo/${id}`, 'task.reset'));
  }
  if (['pending', 'done.failed'].includes(sprintName())) must(on('demo', 'sprint.started'));
  if (sprintName() === 'active.paused') must(on('demo', 'sprint.resumed'));
  answerAll();
  for (const { id, machine } of history.sprint().tasks.values()) {
    const subject = `demo/${id}`;
    if (nameOf(machine.value).startsWith('done.')) continue;
    const { runId, attempt } = machine.context;
    if (runId !== null) must(on(subject, 'agent.lost', { runId }));
    must({ type: 'task.started', subject, data: { attempt: attempt + 1, by: 'x', runId: 'run-9' } });
    must({ type: 'task.completed', subject, data: { by: 'x', runId: 'run-9' } });
  }
  must(on('demo', 'sprint.completed'));
}
