import { describe, expect, it } from 'vitest';
import { describeLimits, describeSprint } from '../../src/views/sprints/describe-sprint.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import { limitedUntil, limitEnd } from '../../src/machines/usage-limit.ts';
import { History, on } from '../helpers/history.ts';

const runOf = (task: string, runId: string, { attempt = 1, agent = 'main' } = {}) => [
  on(task, 'task.started', { runId, attempt }),
  on(task, 'agent.started', { runId, attempt, agent }),
];
const begun = (stream: string) => [
  on(stream, 'sprint.created', { tasks: ['a', 'b'].map((id) => ({ id, file: `${id}.md` })) }),
  on(stream, 'sprint.started'),
];
const first = [...begun('demo'), ...begun('other'), ...runOf('demo/a', 'run-1')];
const minutes = (n: number) => new Date(1_800_000_000_000 + n * 60_000).toISOString();

const limited = (runId = 'run-1', more: { task?: string; resetsAt?: string } = {}) => {
  const { task = 'demo/a', ...data } = more;
  return on(task, 'agent.limited', { runId, ...data });
};
const exited = (runId = 'run-1', reason?: 'limited') =>
  on('demo/a', 'agent.exited', { runId, ...(reason ? { reason } : {}) });
const used = (runId: string, task = 'demo/a') => on(task, 'agent.usage', { runId });

const stateAfter = (...past: readonly Candidate[]) => new History(...first, ...past).state;
const limitsAfter = (...past: readonly Candidate[]) =>
  stateAfter(...past).limits.map(({ agent, times }) => [agent, times]);

describe('the usage limit of an agent', () => {
  const refused = [limited(), exited('run-1', 'limited')];
  const again = runOf('demo/a', 'run-2', { attempt: 2 });

  it.each([
    ['its run was ended', [exited('run-1', 'limited')]],
    ['its run was lost', [on('demo/a', 'agent.lost')]],
    ['its run says what it had used before', [used('run-1')]],
    ['the task has failed', [exited('run-1', 'limited'), on('demo/a', 'task.failed')]],
    [
      'the task is begun afresh',
      [exited('run-1', 'limited'), on('demo/a', 'task.skipped'), on('demo/a', 'task.reset')],
    ],
    ['another agent works', [exited('run-1', 'limited'), ...runOf('demo/b', 'run-2', { agent: 'other' })]],
    ['somebody completes the task by hand', [exited('run-1', 'limited'), on('demo/a', 'task.completed')]],
  ])('stays when %s', (_, past) => {
    expect(limitsAfter(limited(), ...past)).toEqual([['main', 1]]);
  });

  it.each([
    ['its run works on', [on('demo/a', 'agent.continued')]],
    ['its run calls a tool of Clifford’s', [on('demo/a', 'tool.requested', { runId: 'run-1' })]],
    ['its run completes the task', [on('demo/a', 'task.completed', { runId: 'run-1' })]],
    ['its run ends by itself', [exited()]],
    ['a later run gets more', [exited('run-1', 'limited'), ...again, used('run-2')]],
    [
      'a later run for another sprint calls a tool',
      [...runOf('other/a', 'run-2'), on('other/a', 'tool.requested', { runId: 'run-2' })],
    ],
  ])('is over when %s', (_, past) => {
    expect(limitsAfter(limited(), ...past)).toEqual([]);
    // A crash right afterwards changes nothing.
    expect(limitsAfter(limited(), ...past, on('demo/a', 'agent.lost'))).toEqual([]);
  });

  it('stays when its run was refused after it had completed its task, and ended by itself', () => {
    const past = [on('demo/a', 'task.completed', { runId: 'run-1' }), limited(), exited()];
    expect(limitsAfter(...past)).toEqual([['main', 1]]);
  });

  it('stays when a run that had begun before says what it used: it may have been before, too', () => {
    expect(limitsAfter(...runOf('demo/b', 'run-2'), limited(), used('run-2', 'demo/b'))).toEqual([
      ['main', 1],
    ]);
  });

  it('counts runs one after the other, in whatever task, not how often they say it', () => {
    expect(limitsAfter(limited(), ...refused, ...again, limited('run-2'))).toEqual([['main', 2]]);
    const third = runOf('demo/a', 'run-3', { attempt: 3 });
    const saidTwice = [limited('run-2'), limited('run-2'), exited('run-2', 'limited')];
    expect(limitsAfter(...refused, ...again, ...saidTwice, ...third, limited('run-3'))).toEqual([
      ['main', 3],
    ]);
    const elsewhere = [...runOf('other/b', 'run-2'), limited('run-2', { task: 'other/b' })];
    expect(limitsAfter(...refused, ...elsewhere)).toEqual([['main', 2]]);
  });

  it('counts runs at the same time once, and lasts as long as the longer one of theirs', () => {
    const both = (one: string, two: string) => [
      ...runOf('demo/b', 'run-2'),
      limited('run-1', { resetsAt: one }),
      limited('run-2', { task: 'demo/b', resetsAt: two }),
    ];
    for (const past of [both(minutes(60), minutes(90)), both(minutes(90), minutes(60))])
      expect(stateAfter(...past).limits).toMatchObject([{ agent: 'main', times: 1, resetsAt: minutes(90) }]);
  });

  it('lasts as long as the run that was refused last was told', () => {
    const past = [limited('run-1', { resetsAt: minutes(90) }), limited('run-1', { resetsAt: minutes(60) })];
    expect(stateAfter(...past).limits).toMatchObject([{ resetsAt: minutes(60) }]);
  });

  describe('known from a time that lies ahead, since the clock was set back', () => {
    const dayAhead = { ...limited(), time: minutes(24 * 60) };
    const known = [dayAhead, exited('run-1', 'limited'), ...again];

    it('gives way to a later refusal', () => {
      expect(stateAfter(...known, limited('run-2')).limits).toMatchObject([{ runId: 'run-2', times: 2 }]);
    });

    it('is over when a later run gets more', () => {
      expect(limitsAfter(...known, used('run-2'))).toEqual([]);
    });
  });

  it('is counted anew when it got more in between', () => {
    expect(limitsAfter(...refused, ...again, used('run-2'), limited('run-2'))).toEqual([['main', 1]]);
  });

  it('is its own: others have theirs', () => {
    const past = [...refused, ...runOf('demo/b', 'run-2', { agent: 'other' })];
    const both = [...past, limited('run-2', { task: 'demo/b' })];
    expect(limitsAfter(...both)).toEqual([
      ['main', 1],
      ['other', 1],
    ]);
    expect(limitsAfter(...both, on('demo/b', 'agent.continued', { runId: 'run-2' }))).toEqual([['main', 1]]);
  });

  it('is not known of a bare command line', () => {
    const bare = on('demo/b', 'agent.started', { runId: 'run-2', attempt: 1 });
    const past = [on('demo/b', 'task.started', { runId: 'run-2' }), bare];
    expect(limitsAfter(...past, limited('run-2', { task: 'demo/b' }))).toEqual([]);
    expect(limitedUntil(stateAfter(...refused).limits, undefined)).toBe(0);
  });

  it('ends a little after the time it names, else after a while that doubles up to an hour', () => {
    const at = '2026-03-01T12:00:00.000Z';
    const limit = { runId: 'run-1', agent: 'main', at, times: 1 };
    const after = (ms: number) => (ms - Date.parse(at)) / 60_000;
    expect(after(limitEnd({ ...limit, times: 9, resetsAt: '2026-03-01T12:10:00.000Z' }))).toBe(10.05);
    expect([1, 2, 4, 5].map((times) => after(limitEnd({ ...limit, times })))).toEqual([5, 10, 40, 60]);
    expect(limitedUntil([limit], 'other')).toBe(0);
  });
});

describe('a usage limit is shown', () => {
  const resetsAt = minutes(60);
  const until = new Date(Date.parse(resetsAt) + 3_000).toISOString();
  const viewsAfter = (...past: readonly Candidate[]) => {
    const { streams, limits } = stateAfter(...past);
    const demo = streams.get('demo');
    return demo ? describeSprint(demo, limits).tasks.map(({ limitedUntil: shown }) => shown) : [];
  };
  const refused = [limited('run-1', { resetsAt }), exited('run-1', 'limited')];

  it('of each task that waits for its end', () => {
    expect(viewsAfter(...refused)).toEqual([until, undefined]);
    const other = [...runOf('demo/b', 'run-2'), on('demo/b', 'agent.exited', { runId: 'run-2' })];
    expect(viewsAfter(...other, ...refused)).toEqual([until, until]);
    expect(viewsAfter(...refused, ...runOf('demo/a', 'run-2', { attempt: 2 }))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('until the first of its agents may go on', () => {
    const opened = on('demo/a', 'agent.sessionopened', { runId: 'run-1', sessionId: 's-1' });
    const late = (at: string) => [
      opened,
      ...refused,
      ...runOf('demo/a', 'run-2', { attempt: 2, agent: 'other' }),
      limited('run-2', { resetsAt: at }),
      exited('run-2', 'limited'),
    ];
    expect(viewsAfter(...late(minutes(90)))[0]).toBe(until);
    expect(viewsAfter(...late(minutes(30)))[0]).toBe(new Date(Date.parse(minutes(30)) + 3_000).toISOString());
  });

  it('of no task that another agent goes on with', () => {
    const opened = on('demo/a', 'agent.sessionopened', { runId: 'run-1', sessionId: 's-1' });
    const standsIn = runOf('demo/a', 'run-2', { attempt: 2, agent: 'other' });
    expect(viewsAfter(opened, ...refused, ...standsIn, exited('run-2'))).toEqual([undefined, undefined]);
  });

  it('of the project while it lasts', () => {
    const { limits } = stateAfter(...refused);
    expect(describeLimits(limits, Date.parse(until) - 1)).toEqual([{ agent: 'main', until }]);
    expect(describeLimits(limits, Date.parse(until))).toEqual([]);
  });
});
