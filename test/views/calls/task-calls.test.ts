import { expect, it } from 'vitest';
import { callFacts } from '../../../src/views/calls/call-facts.ts';
import { taskCalls } from '../../../src/views/calls/task-calls.ts';
import { History, on } from '../../helpers/history.ts';

const a = 'demo/a';

type Verdict = 'denied' | 'questioned' | 'edited';

const approvalOf = (callId: string) => ({
  callId,
  server: 's',
  tool: 't',
  args: { a: 0 },
  callDigest: 'd',
  definitionDigest: 'f',
});

const asked = (requestId: string, verdict: Verdict, callId = 'c-1', over: object = {}) => {
  const approval = { ...approvalOf(callId), ...over } as never;
  const edited = verdict === 'edited' ? { edited: { args: { a: 1, b: 2 }, callDigest: 'e' } as never } : {};
  return [
    on(a, 'help.requested', { requestId, kind: 'approval', approval }),
    on(a, 'help.answered', { requestId, verdict, scope: 'once', ...edited }),
  ];
};

const made = (callId: string) => on(a, 'tool.requested', { callId, server: 's', tool: 't', args: { a: 0 } });

/** The last call. */
function callAfter(...events: Parameters<typeof History.prototype.add>[0][]) {
  const history = new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on('demo', 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    ...events,
  );
  return taskCalls(history.events, {
    task: 'a',
    sprint: history.sprint(),
    isAgentGone: false,
    asksForWords: () => false,
  }).at(-1);
}

/** How the last call stands, and what is said of who decided it. */
function standingAfter(...events: Parameters<typeof callAfter>) {
  const call = callAfter(...events);
  return call && [call.standing, callFacts(call).find(({ label }) => label === 'Approval')?.text];
}

const byAda = (requestId: string, callId = 'c-1') => on(a, 'tool.denied', { callId, by: 'ada', requestId });

it.each([
  ['denied', 'denied', 'denied by ada'],
  ['questioned', 'queried', 'sent back by ada, with a question'],
  ['edited', 'changed', 'not as it was: another one was allowed in its place by ada'],
] as const)('a call that a human has %s is called %s', (verdict, standing, decision) => {
  expect(standingAfter(made('c-1'), ...asked('q-1', verdict), byAda('q-1'))).toEqual([standing, decision]);
});

it('a call that a rule has denied is denied, whoever was asked before', () => {
  const rule = on(a, 'tool.denied', { callId: 'c-1', rule: 'denylist[0]' });
  for (const verdict of ['questioned', 'edited'] as const)
    expect(standingAfter(made('c-1'), ...asked('q-1', verdict), rule)).toEqual([
      'denied',
      'denied by the rule denylist[0]',
    ]);
});

it('what was said in the request that a call waited for counts', () => {
  const events = [made('c-1'), ...asked('q-1', 'questioned'), ...asked('q-2', 'denied')];
  expect(standingAfter(...events, byAda('q-2'))).toEqual(['denied', 'denied by ada']);
  expect(standingAfter(...events, byAda('q-1'))?.[0]).toBe('queried');
});

it('a call that waited for the request of another one has its word', () => {
  const events = [made('c-1'), made('c-2'), ...asked('q-1', 'questioned'), byAda('q-1')];
  expect(standingAfter(...events, byAda('q-1', 'c-2'))).toEqual([
    'queried',
    'sent back by ada, with a question',
  ]);
});

it('a call whose last request was closed without an answer is not called by what was said before', () => {
  const again = on(a, 'help.requested', {
    requestId: 'q-2',
    kind: 'approval',
    approval: approvalOf('c-1') as never,
  });
  const closed = on(a, 'help.dismissed', { requestId: 'q-2', by: 'ada' });
  const events = [made('c-1'), ...asked('q-1', 'questioned'), again, closed, byAda('q-2')];
  expect(standingAfter(...events)).toEqual(['denied', 'denied by ada']);
});

it('a call that ran as a human has changed it is done or has failed, by whom, and not what its agent made it', () => {
  const allowed = on(a, 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-1' });
  const returned = on(a, 'tool.returned', { callId: 'c-1', isError: false });
  const events = [made('c-1'), ...asked('q-1', 'edited'), allowed];
  expect(standingAfter(...events, returned)).toEqual(['done', 'allowed as changed by ada']);
  for (const failed of [
    on(a, 'tool.returned', { callId: 'c-1', isError: true }),
    on(a, 'tool.failed', { callId: 'c-1', error: 'gone' }),
  ])
    expect(standingAfter(...events, failed)).toEqual(['failed', 'allowed as changed by ada, and failed']);
});

it('a call that its agent made as a human had changed the one before ran as it was made', () => {
  const allowed = on(a, 'tool.allowed', { callId: 'c-2', by: 'ada', requestId: 'q-1' });
  const again = on(a, 'tool.requested', { callId: 'c-2', server: 's', tool: 't', args: { b: 2, a: 1 } });
  const events = [made('c-1'), ...asked('q-1', 'edited'), again, allowed];
  expect(standingAfter(...events)).toEqual(['runs', 'allowed by ada']);
});

it('a call that was allowed as it was changed and that its agent gave up did not run so', () => {
  const events = [made('c-1'), ...asked('q-1', 'edited')];
  const allowed = on(a, 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-1' });
  const late = on(a, 'tool.withheld', { callId: 'c-1', requestId: 'q-1' });
  expect(callAfter(...events, allowed)?.ranWith).toEqual({ a: 1, b: 2 });
  expect(callAfter(...events, allowed, late)?.ranWith).toBeUndefined();
});

it('a call of an agent that was made in place of another one runs as it was made', () => {
  const own = asked('q-1', 'edited', 'c-1', { isOwn: true });
  const allowed = on(a, 'tool.allowed', { callId: 'c-2', by: 'ada', requestId: 'q-1' });
  const events = [made('c-1'), ...own, byAda('q-1'), made('c-2'), allowed];
  expect(standingAfter(...events)).toEqual(['runs', 'allowed by ada']);
});

it('a call that is said to be denied in no request is denied', () => {
  const denied = on(a, 'tool.denied', { callId: 'c-2', by: 'ada' });
  expect(standingAfter(made('c-1'), made('c-2'), ...asked('q-1', 'questioned'), denied)?.[0]).toBe('denied');
});
