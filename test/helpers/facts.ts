import type { EventData, EventType } from '../../src/events/catalog.ts';
import type { Fact } from '../../src/machines/fact.ts';

/** Facts with plain data, so that a test states only what matters to it. */
const samples: { [T in EventType]: EventData<T> } = {
  'sprint.created': {
    name: 'Demo',
    manifest: 'sprints/demo/manifest.json',
    tasks: [{ id: 'a', file: 'a.md' }],
  },
  'sprint.amended': { tasks: [{ id: 'b', file: 'b.md' }] },
  'sprint.started': { runner: 'runner', maxAttempts: 2 },
  'sprint.paused': { by: 'me' },
  'sprint.resumed': { by: 'me' },
  'sprint.completed': { by: 'me' },
  'sprint.failed': { reason: 'a task failed' },
  'sprint.cancelled': { by: 'me' },
  'task.started': { attempt: 1, by: 'runner', runId: 'run-1' },
  'task.blocked': { requestId: 'q-b', by: 'agent', reason: 'no key' },
  'task.completed': { by: 'agent' },
  'task.failed': { reason: 'exit 1' },
  'task.retried': { attempt: 2, delayMs: 10, reason: 'exit 1' },
  'task.skipped': { by: 'me' },
  'task.cancelled': { by: 'me' },
  'task.reset': { by: 'me', reason: 'retry' },
  'agent.started': {
    runId: 'run-1',
    attempt: 1,
    adapter: 'command',
    argv: ['agent'],
    pid: 4711,
    processStart: '1',
    bootId: 'boot',
  },
  'agent.connected': { runId: 'run-1', client: { name: 'agent', version: '1' }, protocol: '2025-11-25' },
  'agent.sessionopened': { runId: 'run-1', sessionId: 'session-1' },
  'agent.exited': { runId: 'run-1', code: 1, signal: null, durationMs: 5 },
  'agent.stalled': { runId: 'run-1', idleMs: 5 },
  'agent.lost': { runId: 'run-1', reason: 'runner crashed' },
  'agent.usage': { runId: 'run-1', tokens: { input: 1, output: 1 } },
  'agent.limited': { runId: 'run-1' },
  'agent.continued': { runId: 'run-1' },
  'help.requested': { requestId: 'q-1', kind: 'help', question: 'Which one?', origin: { agent: 'run-1' } },
  'help.answered': { requestId: 'q-1', response: 'That one', by: 'me', via: 'cli' },
  'help.dismissed': { requestId: 'q-1', by: 'me', via: 'cli' },
  'help.expired': { requestId: 'q-1', afterMs: 5 },
  'help.attached': { requestId: 'q-1', agent: 'run-1' },
  'help.detached': { requestId: 'q-1', agent: 'run-1', why: 'cancelled' },
  'help.delivered': { requestId: 'q-1', to: 'run-1' },
  'tool.requested': { callId: 'c-1', server: 'clifford', tool: 'request_help', args: {}, argsDigest: 'd' },
  'tool.allowed': { callId: 'c-1' },
  'tool.denied': { callId: 'c-1' },
  'tool.returned': { callId: 'c-1', isError: false, durationMs: 1, bytes: 2 },
  'tool.failed': { callId: 'c-1', error: 'gone' },
  'policy.ruleadded': { rule: { tool: 'x' }, by: 'me' },
  'task.committed': { sha: '0123456789abcdef0123456789abcdef01234567', files: ['a.ts'], attempt: 1 },
  'task.uncommitted': { reason: 'nothing changed', attempt: 1 },
  'verify.returned': { command: 'npm test', code: 0, durationMs: 5, output: 'ok' },
  'uat.reported': { title: 't', changes: 'c', steps: ['s'] },
  'changelog.updated': { entries: ['e'] },
  'signal.received': { file: 'f', kind: 'block', digest: 'd' },
  'signal.rejected': { file: 'f', reason: 'not JSON' },
  'log.repaired': { offset: 1, bytes: 2, quarantined: 'f' },
};

/** A fact of this type; `data` overrides what the sample says. */
export function fact<T extends EventType>(type: T, data: Partial<EventData<T>> = {}): Fact<T> & { type: T } {
  return { type, data: { ...samples[type], ...data } } as Fact<T> & { type: T };
}
