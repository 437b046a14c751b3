import { approval } from '../../helpers/approval.ts';
import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { applyEvent } from '../../../src/machines/fold.ts';
import { createProjectState } from '../../../src/machines/project-state.ts';
import type { SprintState } from '../../../src/machines/project-state.ts';
import { changeText } from '../../../src/views/changes/change-text.ts';
import { changesBetween } from '../../../src/views/events/changes-between.ts';
import { History, on } from '../../helpers/history.ts';

const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md` }));
const working: Candidate[] = [
  on('demo', 'sprint.created', { tasks }),
  on('demo', 'sprint.started', { maxAttempts: 3 }),
  on('demo/a', 'task.started', { attempt: 1, runId: 'run-1' }),
];
const later: Candidate[] = [
  on('demo/a', 'agent.started', { runId: 'run-1', attempt: 1 }),
  on('demo/a', 'tool.requested', { callId: 'c-1' }),
  on('demo/a', 'help.requested', { requestId: 'q-1', question: 'Which\nport?' }),
  on('demo/a', 'help.answered', { requestId: 'q-1', response: '8080', by: 'ada' }),
  on('demo/a', 'agent.usage', { runId: 'run-1', tokens: { input: 1_000, output: 204 }, costUsd: 0.12 }),
  on('demo/a', 'task.retried', { attempt: 2, reason: 'exit 1' }),
  on('demo/a', 'task.started', { attempt: 2, runId: 'run-2' }),
  on('demo/a', 'help.requested', { requestId: 'q-2', question: 'And now?' }),
  on('demo/b', 'task.skipped', { by: 'me', reason: 'not needed' }),
  on('demo', 'sprint.amended', { tasks: [{ id: 'c', file: 'c.md' }] }),
];

/** Of the same history, so that nothing is the same object, as when two moments are read. */
function after(candidates: readonly Candidate[]): SprintState | undefined {
  const { events } = new History(...candidates);
  const state = createProjectState();
  for (const event of events) applyEvent(state, event);
  return state.streams.get('demo');
}

const textsBetween = (before: readonly Candidate[], now: readonly Candidate[]) =>
  changesBetween(after(before), after(now)).map(changeText);

it('says what has changed from one moment to a later one', () => {
  expect(textsBetween(working, [...working, ...later])).toEqual([
    'the sprint waits for a human (was running)',
    'a waits for an answer (was being started)',
    'a is at attempt 2 (was at 1)',
    'a failed 1 time: exit 1',
    'a used 1,204 tokens, $0.12',
    'b is skipped: by me: not needed (was pending)',
    'c is new, and is pending',
    'a asked: Which port?',
    'a was answered by ada: 8080',
    'a asked: And now?',
    'all tasks together used 1,204 tokens, $0.12',
    '1 tool call',
  ]);
});

it('names how tasks and the sprint ended, and what became of the commit', () => {
  const blocked = [...working, ...later];
  const ended = [
    ...blocked,
    on('demo/a', 'help.dismissed', { requestId: 'q-2', reason: 'moot' }),
    on('demo/a', 'task.failed', { reason: 'exit 2', runId: 'run-2' }),
    on('demo/c', 'task.started', { attempt: 1, runId: 'run-3' }),
    on('demo/c', 'task.completed', { runId: 'run-3' }),
    on('demo/c', 'task.committed', { sha: '0123456789abcdef' }),
    on('demo', 'sprint.failed', { reason: 'a task failed' }),
  ];
  expect(textsBetween(blocked, ended)).toEqual([
    'the sprint has failed: a task failed (was waiting for a human)',
    'a has failed: exit 2 (was waiting for an answer)',
    'a failed 1 time: exit 2',
    'c is done (was pending)',
    'c is at attempt 1',
    'c has its commit 0123456789ab',
    'what a asked was dismissed: moot',
  ]);
  expect(textsBetween(ended, ended)).toEqual([]);
});

it('takes a moment before the first event', () => {
  expect(textsBetween([], working)).toEqual([
    'the sprint is new, and is running',
    'a is new, and is being started',
    'a is at attempt 1',
    'b is new, and is pending',
  ]);
  expect(changesBetween(undefined, undefined)).toEqual([]);
});

it('shows what others wrote on one line, with what does not print made visible', () => {
  const change = { kind: 'failures', task: 'a', more: 2, last: 'red \u001B[31m\nline' } as const;
  expect(changeText(change)).toBe('a failed 2 times: red \\u001b[31m line');
});

it.each([
  [{ rejected: true, response: 'Nobody may' }, 'what a asked was rejected by ada: Nobody may'],
  [
    { rephrase: true, response: 'Which one?' },
    'what a asked is to be asked in other words, by ada: Which one?',
  ],
  [{ rephrase: true, response: '' }, 'what a asked is to be asked in other words, by ada'],
] as const)('does not say of what was turned down that it was answered: %j', (word, text) => {
  const asked = [...working, on('demo/a', 'help.requested', { requestId: 'q-7', question: 'Which port?' })];
  const turnedDown = [...asked, on('demo/a', 'help.answered', { requestId: 'q-7', by: 'ada', ...word })];
  expect(textsBetween(asked, turnedDown)).toContain(text);
});

it.each([
  ['denied', 'Never push with force', 'a call of a was denied by ada: Never push with force'],
  ['denied', 'no', 'a call of a was denied by ada'],
  ['approved', 'yes', 'a call of a was allowed by ada'],
] as const)('says what became of a call: %s, %s', (verdict, response, text) => {
  const asked = [
    ...working,
    on('demo/a', 'help.requested', { requestId: 'q-7', kind: 'approval', approval }),
  ];
  const decided = [
    ...asked,
    on('demo/a', 'help.answered', { requestId: 'q-7', response, verdict, by: 'ada' }),
  ];
  expect(textsBetween(asked, decided)).toContain(text);
});
