import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { callFacts } from '../../../src/views/calls/call-facts.ts';
import { taskCalls } from '../../../src/views/calls/task-calls.ts';
import { History, on } from '../../helpers/history.ts';

const a = 'demo/a';

/** How a call stands that a human was asked about, and did not allow as it was. */
function standingAfter(verdict: 'denied' | 'questioned' | 'edited') {
  const approval = { callId: 'c-1', server: 's', tool: 't', args: {}, callDigest: 'd' } as never;
  const edited = verdict === 'edited' ? { edited: { args: { a: 1 }, callDigest: 'e' } as never } : {};
  const { events, state } = new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on('demo', 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    on(a, 'tool.requested', { callId: 'c-1', server: 's', tool: 't', args: {} }),
    on(a, 'help.requested', { requestId: 'q-1', kind: 'approval', approval }),
    on(a, 'help.answered', { requestId: 'q-1', verdict, scope: 'once', ...edited }),
    on(a, 'tool.denied', { callId: 'c-1', by: 'ada' }),
  );
  const of = (all: readonly StoredEvent[]) =>
    taskCalls(all, {
      task: 'a',
      sprint: state.streams.get('demo'),
      isAgentGone: false,
      asksForWords: () => false,
    });
  const [call] = of(events);
  return call && [call.standing, callFacts(call).find(({ label }) => label === 'Approval')?.text];
}

it.each([
  ['denied', 'denied', 'denied by ada'],
  ['questioned', 'queried', 'sent back by ada, with a question'],
  ['edited', 'changed', 'not as it was: another one was allowed in its place by ada'],
] as const)('a call that a human has %s is called %s', (verdict, standing, decision) => {
  expect(standingAfter(verdict)).toEqual([standing, decision]);
});
