import fc from 'fast-check';
import type { EventType } from '../../src/events/catalog.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import { approval } from './approval.ts';
import { History, on } from './history.ts';

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
  'agent.parked',
  'agent.resumed',
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
  'tool.withheld',
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
/** What an answer has to say so that it is legal. */
export const verdictFor = (requestId: string) =>
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
    case 'agent.parked':
    case 'agent.resumed':
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
    case 'tool.withheld':
      return on(subject, type, { callId: task, requestId });
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

/** The legal ones of some steps, one after the other, in the sprint `demo`. */
export function build(steps: readonly Step[]): History {
  const history = new History(on('demo', 'sprint.created', { tasks }));
  for (const each of steps) history.add(candidate(history, each));
  return history;
}

/** Steps of a random history. */
export const histories = fc.array(step, { maxLength: 80 });
