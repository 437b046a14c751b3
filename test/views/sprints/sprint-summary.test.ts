import { expect, it } from 'vitest';
import { createSprintState } from '../../../src/machines/project-state.ts';
import { decidedParts } from '../../../src/views/events/decided-text.ts';
import { summarise, WorkMeter } from '../../../src/views/sprints/sprint-summary.ts';
import { History, on } from '../../helpers/history.ts';

const stream = 'sprint-13';
const a = `${stream}/a`;
const tasks = [{ id: 'a', file: 'a.md' }];

/** One event a second. */
function summaryOf(...events: Parameters<typeof on>[]) {
  const candidates = events.map(([subject, type, data]) => on(subject, type, data));
  const { state, events: stored } = new History(
    on(stream, 'sprint.created', { tasks }),
    on(stream, 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    ...candidates,
  );
  const meter = new WorkMeter();
  // As a log hands them out: in batches.
  for (const event of stored) meter.take([event]);
  return summarise(state.streams.get(stream) ?? createSprintState(stream), meter);
}

it('work is the time of agents at work, without the time that they wait for a human', () => {
  const summary = summaryOf(
    [a, 'agent.started', { runId: 'r1' }],
    [a, 'help.requested', { requestId: 'q-1', origin: { agent: 'a1', runId: 'r1' } }],
    [a, 'log.repaired'],
    [a, 'help.answered', { requestId: 'q-1' }],
    [a, 'log.repaired'],
    [a, 'agent.exited', { runId: 'r1' }],
    [a, 'log.repaired'],
  );
  // Eight seconds from the start of the run, which is the second event, to the tenth: one of work before the question, two
  // after the answer, two of waiting.
  expect(summary).toMatchObject({
    tookMs: 8_000,
    workedMs: 3_000,
    waitedMs: 2_000,
    attempts: 1,
    questions: 1,
    approvals: 0,
    tasks: [{ id: 'a', workedMs: 3_000, waitedMs: 2_000, attempt: 1 }],
  });
});

it('a clock that is set back between two events takes nothing from the time', () => {
  const { events } = new History(
    on(stream, 'sprint.created', { tasks }),
    on(stream, 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    on(a, 'log.repaired'),
    on(a, 'log.repaired'),
  );
  const meter = new WorkMeter();
  // Two days back behind the third.
  const times = [0, 1_000, 2_000, -172_000_000, -171_997_000].map((ms) => new Date(ms).toISOString());
  meter.take(events.map((event, at) => ({ ...event, time: times[at] ?? event.time })));
  expect(meter.tookMs).toBe(1_000 + 3_000);
});

it('what is told of its end is no part of what it took, until it goes on', () => {
  const failed: Parameters<typeof on>[] = [
    [a, 'task.failed'],
    [stream, 'sprint.failed'],
    [stream, 'notify.failed'],
    [stream, 'notify.sent'],
  ];
  // From the start of the run, which is the second event, to its end.
  expect(summaryOf(...failed).tookMs).toBe(3_000);
  expect(summaryOf(...failed, [stream, 'sprint.started'], [a, 'log.repaired']).tookMs).toBe(7_000);
});

it('what is recorded late, that somebody was told, counts no time twice', () => {
  const { events } = new History(
    on(stream, 'sprint.created', { tasks }),
    on(stream, 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    on(a, 'notify.sent'),
    on(a, 'log.repaired'),
  );
  const meter = new WorkMeter();
  const late = ({ type, time }: (typeof events)[number]) =>
    type === 'notify.sent' ? new Date(Date.parse(time) - 2_000).toISOString() : time;
  meter.take(events.map((event) => ({ ...event, time: late(event) })));
  expect(meter.tookMs).toBe(3_000);
});

it('an agent that was lost, or asked by a block, works no more', () => {
  const lost = summaryOf(
    [a, 'agent.started', { runId: 'r1' }],
    [a, 'agent.lost', { runId: 'r1' }],
    [a, 'log.repaired'],
  );
  expect(lost.workedMs).toBe(1_000);
});

it('an agent whose end nobody recorded, for its runner was killed, works no longer than until its task is over', () => {
  const outlived = summaryOf(
    [a, 'agent.started', { runId: 'r1' }],
    [a, 'task.completed', { runId: 'r1' }],
    [a, 'log.repaired'],
    [a, 'log.repaired'],
  );
  expect(outlived.workedMs).toBe(1_000);
});

it('files that several commits changed are counted once', () => {
  const summary = summaryOf(
    [a, 'task.committed', { files: ['x.ts', 'y.ts'] }],
    [a, 'task.committed', { files: ['y.ts'] }],
  );
  expect(summary).toMatchObject({ commits: 2, files: 2 });
});

it.each([
  ['returned', ['tool.returned', { isError: false }], 'allowed as changed: {"a":2}'],
  ['returned an error', ['tool.returned', { isError: true }], 'allowed as changed, and failed: {"a":2}'],
  ['failed', ['tool.failed', {}], 'allowed as changed, and failed: {"a":2}'],
] as const)('a call that was allowed as changed and %s is said to be so', (_name, [type, data], said) => {
  const approval = { callId: 'c-1', server: 's', tool: 't', args: { a: 1 } } as never;
  const edited = { args: { a: 2 }, callDigest: 'e' } as never;
  // Another call, which a rule allowed, failed first.
  const { decisions } = summaryOf(
    [a, 'help.requested', { requestId: 'q-1', kind: 'approval', approval }],
    [a, 'help.answered', { requestId: 'q-1', verdict: 'edited', edited, response: '{"a":2}' }],
    [a, 'tool.allowed', { callId: 'c-2', rule: 'rules[0]' }],
    [a, 'tool.failed', { callId: 'c-2' }],
    [a, 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-1' }],
    [a, type, { callId: 'c-1', ...data }],
  );
  expect(decisions.map((each) => decidedParts(each).said)).toEqual([said]);
});

it('a call whose agent had given up when it was allowed as changed did not fail', () => {
  const approval = { callId: 'c-1', server: 's', tool: 't', args: { a: 1 } } as never;
  const { decisions } = summaryOf(
    [a, 'help.requested', { requestId: 'q-1', kind: 'approval', approval }],
    [a, 'help.answered', { requestId: 'q-1', verdict: 'edited', response: '' }],
    [a, 'tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-1' }],
    [a, 'tool.withheld', { callId: 'c-1', requestId: 'q-1' }],
    [a, 'tool.failed', { callId: 'c-1' }],
  );
  expect(decisions.map((each) => decidedParts(each).said)).toEqual(['allowed as changed']);
});

it('has what humans have decided, and the commits: not what ended with its task, nor what is secret', () => {
  const by = { by: 'maria', via: 'tui' };
  const ask = (requestId: string, question: string, over = {}): Parameters<typeof on> => [
    a,
    'help.requested',
    { requestId, question, origin: { agent: 'a1', runId: 'r1' }, ...over },
  ];
  const summary = summaryOf(
    ask('q-1', 'Which *one*?'),
    [a, 'help.answered', { requestId: 'q-1', response: 'This', ...by }],
    ask('q-2', 'Which token?'),
    [a, 'help.answered', { requestId: 'q-2', response: 'ghp_0123456789abcdefghijABCDEFGHIJ012345', ...by }],
    ask('q-3', 'Password:', { kind: 'prompt' }),
    [a, 'help.answered', { requestId: 'q-3', response: 'hunter2', ...by }],
    ask('q-6', 'Go on?', { kind: 'prompt', options: ['y', 'n'] }),
    [a, 'help.answered', { requestId: 'q-6', response: 'y', option: 0, ...by }],
    ask('q-7', 'Password:', { kind: 'prompt' }),
    [a, 'help.answered', { requestId: 'q-7', response: 'Use a token', rejected: true, ...by }],
    ask('q-4', 'Why?'),
    [a, 'help.answered', { requestId: 'q-4', response: 'It is wrong', rejected: true, ...by }],
    ask('q-5', 'Still?'),
    [a, 'help.dismissed', { requestId: 'q-5', by: 'log', via: 'log' }],
    [a, 'task.committed', { sha: 'abc', files: ['x.ts', 'y.ts'] }],
    [a, 'task.committed', { sha: 'def', files: ['x.ts'], title: 'Make the form' }],
  );
  expect(summary.decisions).toMatchObject([
    { requestId: 'q-1', task: 'a', asked: 'Which one?', outcome: 'answered', response: 'This', ...by },
    { requestId: 'q-2', outcome: 'answered', response: '[not shown: it looks like a secret]' },
    { requestId: 'q-3', outcome: 'answered' },
    { requestId: 'q-6', outcome: 'answered', response: 'y' },
    { requestId: 'q-7', outcome: 'rejected', response: 'Use a token' },
    { requestId: 'q-4', outcome: 'rejected', response: 'It is wrong' },
  ]);
  expect(JSON.stringify(summary)).not.toMatch(/ghp_|hunter2/);
  expect(summary.commitsMade).toEqual([
    { sha: 'abc', task: 'a', files: 2 },
    { sha: 'def', task: 'a', title: 'Make the form', files: 1 },
  ]);
});

it('has no commit of what was given up, but those of the task that were merged before', () => {
  const commit = (sha: string, file: string): Parameters<typeof on> => [
    a,
    'task.committed',
    { sha, files: [file] },
  ];
  const after = (...rest: Parameters<typeof on>[]) => {
    const { commits, commitsMade, files } = summaryOf(
      commit('abc', 'x.ts'),
      [a, 'worktree.merged', { sha: 'abc' }],
      commit('def', 'y.ts'),
      ['demo/b', 'task.committed', { sha: 'fed', files: ['z.ts'] }],
      ...rest,
    );
    return { commits, made: commitsMade.map(({ sha }) => sha), files };
  };
  const without = { commits: 2, made: ['abc', 'fed'], files: 2 };
  expect(after()).toEqual({ commits: 3, made: ['abc', 'def', 'fed'], files: 3 });
  expect(after([a, 'worktree.dropped', {}])).toEqual(without);
  expect(after([a, 'worktree.settled', { how: 'drop' }])).toEqual(without);
  expect(after([a, 'worktree.settled', { how: 'agent' }]).commits).toBe(3);
});

it('has what humans have dismissed, when, and no secret of theirs; what ended by itself was decided by nobody', () => {
  const asked = ['q-1', 'q-2', 'q-3', 'q-4', 'q-5'].map((requestId): Parameters<typeof on> => [
    a,
    'help.requested',
    { requestId },
  ]);
  const nobody = ['runner', 'mcp', 'acp'].map((via, at): Parameters<typeof on> => [
    a,
    'help.dismissed',
    { requestId: `q-${at + 1}`, by: 'clifford', via },
  ]);
  const secret = `it is in ghp_${'a1B2'.repeat(9)}`;
  const { decisions } = summaryOf(
    ...asked,
    ...nobody,
    [a, 'help.dismissed', { requestId: 'q-4', by: 'maria', via: 'cli', reason: 'Not now' }],
    [a, 'help.dismissed', { requestId: 'q-5', by: 'maria', via: 'cli', reason: secret }],
  );
  const about = { outcome: 'dismissed', by: 'maria', via: 'cli', at: expect.stringMatching(/^20.*Z$/) };
  expect(decisions).toMatchObject([
    { requestId: 'q-4', response: 'Not now', ...about },
    { requestId: 'q-5', response: '[not shown: it looks like a secret]', ...about },
  ]);
});

it('calls that were refused by a rule are counted, and not those that a human has refused', () => {
  const call = (callId: string, data: object): Parameters<typeof on>[] => [
    [a, 'tool.requested', { callId }],
    [a, 'tool.denied', { callId, ...data }],
  ];
  const { refusedByPolicy } = summaryOf(
    ...call('c-1', { rule: 'denylist[0] fs/*' }),
    ...call('c-2', { rule: 'default: no human decided' }),
    ...call('c-3', { by: 'maria', requestId: 'q-1' }),
    // As logs of before have it.
    ...call('c-4', { by: 'maria' }),
  );
  expect(refusedByPolicy).toBe(2);
});

it('a sprint of which nothing is known took nothing', () => {
  expect(summarise(createSprintState('none'), new WorkMeter())).toMatchObject({
    tookMs: 0,
    tasks: [],
    attempts: 0,
  });
});
