import { describe, expect, it } from 'vitest';
import { noUsage } from '../../../src/machines/usage.ts';
import { silentReport } from '../../../src/runner/output/agent-report.ts';
import type { TaskAgents } from '../../../src/runner/reconcile/runner-view.ts';
import { reconcile } from '../../../src/runner/reconcile/reconcile.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import type { Isolation, JobView, RunnerView, RunView } from '../../../src/runner/reconcile/runner-view.ts';
import { startWatch } from '../../../src/runner/attempt/watch.ts';
import type { Watch } from '../../../src/runner/attempt/watch.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import type { EndReason } from '../../../src/events/end-reason.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { History, on } from '../../helpers/history.ts';

const now = 1_000_000;
const parking = configSchema.parse({});
const { limits, budget } = parking;
const policy = {
  wait: true,
  concurrency: 1,
  failFast: false,
  isolation: 'none' as Isolation,
  paths: new Map<string, readonly string[]>(),
  areFilesJudged: false,
  limits,
  budget,
  parking,
  agents: new Map<string, TaskAgents>(),
};

/** Nothing is due. */
const quiet: Watch = { ...startWatch(now), nextAt: undefined };

/** A runner that has taken up a sprint with this history, unless `knows` says otherwise. */
function viewOf(past: readonly Candidate[], knows: Partial<RunnerView> = {}): RunnerView {
  const history = new History(...past);
  return {
    sprint: past.length === 0 ? undefined : history.sprint(),
    runs: [],
    jobs: [],
    prepared: new Set(['a', 'b']),
    toCommit: new Set(),
    kept: new Set(),
    retryAt: new Map(),
    entered: true,
    recovered: true,
    takenUp: true,
    stopReason: undefined,
    now,
    spending: { day: '', usage: noUsage },
    limits: history.state.limits,
    policy,
    ...knows,
  };
}

const run = (facts: Partial<RunView> = {}): RunView => ({
  runId: 'run-1',
  taskId: 'a',
  phase: 'working',
  completedAt: undefined,
  hasFacts: false,
  connects: false,
  report: silentReport,
  usesTool: false,
  openCalls: 0,
  watch: quiet,
  parkable: { agent: undefined, resumes: false },
  isSteerable: false,
  ...facts,
});

const job = (facts: Partial<JobView> = {}): JobView => ({
  jobId: 'preparation of a',
  kind: 'preparation',
  taskId: 'a',
  phase: 'working',
  hasFacts: false,
  ...facts,
});

const created = on('demo', 'sprint.created', {
  tasks: [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'b.md' },
  ],
});
const started = on('demo', 'sprint.started');
const begun = on('demo/a', 'task.started');
const asked = on('demo/a', 'help.requested', { origin: { agent: 'run-1', runId: 'run-1' } });
const exited = on('demo/a', 'agent.exited');
const answered = on('demo/a', 'help.answered');
const completed = on('demo/a', 'task.completed', { runId: 'run-1' });
const skippedB = on('demo/b', 'task.skipped');
const failed = on('demo/a', 'task.failed', { reason: 'exit 3' });
const paused = on('demo', 'sprint.paused');
const working = [created, started, begun];
/** No other task is left. */
const alone = [...working, skippedB];

describe('at the beginning of a run, the next action', () => {
  const early = { entered: false, recovered: false, takenUp: false };

  it('enters a sprint the log does not know', () => {
    expect(reconcile(viewOf([], early))).toEqual([{ do: 'enter-sprint' }]);
  });

  it('enters a known sprint, too: its manifest may have gained tasks', () => {
    expect(reconcile(viewOf([created], early))).toEqual([{ do: 'enter-sprint' }]);
  });

  it('ends what an earlier runner left before anything starts', () => {
    expect(reconcile(viewOf(working, { recovered: false, takenUp: false }))).toEqual([{ do: 'end-orphans' }]);
  });

  it.each<[string, Candidate[]]>([
    ['a new sprint', [created]],
    ['one that was left in the middle', [...working, exited]],
    ['one that waits for a human', [...working, asked, exited]],
    ['a paused one', [created, started, paused]],
  ])('starts %s', (_, past) => {
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([{ do: 'start-sprint' }]);
  });

  it('resets the tasks of a failed sprint and starts it', () => {
    const past = [...working, exited, failed, on('demo', 'sprint.failed')];
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([
      { do: 'reset-tasks', taskIds: ['a'] },
      { do: 'start-sprint' },
    ]);
  });

  it.each<[string, Candidate, object]>([
    ['cancelled', on('demo', 'sprint.cancelled'), { outcome: 'cancelled', reason: 'it was cancelled by me' }],
    ['completed', on('demo', 'sprint.completed'), { outcome: 'completed', reason: 'no task is left' }],
  ])('leaves a %s sprint alone', (_, last, end) => {
    const past = [...working, completed, skippedB, last];
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([{ do: 'end', end }]);
  });
});

describe('with nothing running, the next action', () => {
  it('starts the first ready task, and no other beside it', () => {
    expect(reconcile(viewOf([created, started]))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });

  it('starts as many as there is room for', () => {
    const view = viewOf([created, started], { policy: { ...policy, concurrency: 2 } });
    expect(reconcile(view)).toEqual([
      { do: 'start-attempt', taskId: 'a' },
      { do: 'start-attempt', taskId: 'b' },
    ]);
  });

  it('starts the next attempt of a task whose agent is gone before any other task', () => {
    expect(reconcile(viewOf([...working, exited]))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });

  it('starts the next attempt when a late answer has come', () => {
    expect(reconcile(viewOf([...working, asked, exited, answered]))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('starts a task beside one that waits for a human, and waits for the human when there is none', () => {
    expect(reconcile(viewOf([...working, asked, exited]))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
    expect(reconcile(viewOf([...alone, asked, exited]))).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('leaves a task to an agent nobody started, and starts another', () => {
    const byHand = on('demo/a', 'task.started', { runId: undefined });
    expect(reconcile(viewOf([created, started, byHand]))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('takes over a task from an agent nobody started when nothing else is left', () => {
    const byHand = on('demo/a', 'task.started', { runId: undefined });
    expect(reconcile(viewOf([created, started, byHand, skippedB]))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('waits out the delay of a retry', () => {
    const past = [...working, exited, on('demo/a', 'task.retried')];
    const retryAt = new Map([['a', now + 500]]);
    expect(reconcile(viewOf(past, { retryAt }))).toEqual([{ do: 'wait', for: 'retry', until: now + 500 }]);
    expect(reconcile(viewOf(past, { retryAt, now: now + 500 }))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('forgets the delay of a task that was skipped meanwhile', () => {
    const past = [...working, exited, on('demo/a', 'task.retried'), on('demo/a', 'task.skipped')];
    const retryAt = new Map([['a', now + 500]]);
    expect(reconcile(viewOf(past, { retryAt }))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('waits while the sprint is paused, also when a delay is over', () => {
    const past = [...working, exited, on('demo/a', 'task.retried'), paused];
    expect(reconcile(viewOf(past, { retryAt: new Map([['a', now - 1]]) }))).toEqual([
      { do: 'wait', for: 'resume' },
    ]);
  });

  it('starts a task that does not depend on one that failed', () => {
    expect(reconcile(viewOf([...working, exited, failed]))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('fails the sprint of a failed task when no other can go on, naming the task', () => {
    expect(reconcile(viewOf([...alone, exited, failed]))).toEqual([
      { do: 'fail-sprint', reason: 'a failed' },
    ]);
  });

  it('fails the sprint at once with --fail-fast, naming what is not run', () => {
    const failFast = { policy: { ...policy, failFast: true } };
    expect(reconcile(viewOf([...working, exited, failed], failFast))).toEqual([
      { do: 'fail-sprint', reason: 'a failed; not run: b' },
    ]);
  });

  it('waits for a human whom another task needs before it fails the sprint', () => {
    const begunB = on('demo/b', 'task.started', { runId: 'run-2' });
    const askedB = on('demo/b', 'help.requested', {
      requestId: 'q-b',
      origin: { agent: 'run-2', runId: 'run-2' },
    });
    const past = [
      ...working,
      exited,
      failed,
      begunB,
      askedB,
      on('demo/b', 'agent.exited', { runId: 'run-2' }),
    ];
    expect(reconcile(viewOf(past))).toEqual([{ do: 'wait', for: 'human' }]);
    expect(reconcile(viewOf(past, { policy: { ...policy, wait: false } }))).toEqual([
      {
        do: 'end',
        end: { outcome: 'blocked', reason: 'a human has to answer b: Which one?; task a failed: exit 3' },
      },
    ]);
  });

  it('fails a sprint in which no task can start, naming what they wait for', () => {
    const tasks = [{ id: 'a', file: 'a.md', dependsOn: ['b', 'x'] }];
    expect(reconcile(viewOf([on('demo', 'sprint.created', { tasks }), started]))).toEqual([
      { do: 'fail-sprint', reason: 'no task can start: a waits for b (unknown) and x (unknown)' },
    ]);
  });

  it('completes a sprint whose tasks are done', () => {
    expect(reconcile(viewOf([...working, completed, exited, skippedB]))).toEqual([{ do: 'complete-sprint' }]);
  });

  it('starts a sprint that someone made pending again', () => {
    const past = [...working, exited, failed, on('demo', 'sprint.failed'), on('demo/a', 'task.reset')];
    expect(reconcile(viewOf(past))).toEqual([{ do: 'start-sprint' }]);
  });
});

describe('with an agent at work, the next action', () => {
  it('waits for it', () => {
    expect(reconcile(viewOf(working, { runs: [run()] }))).toEqual([{ do: 'wait', for: 'agent' }]);
  });

  it('waits for the human it has asked', () => {
    expect(reconcile(viewOf([...alone, asked], { runs: [run()] }))).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('starts another task while it waits for a human, unless files are checked or committed', () => {
    const past = [...working, asked];
    expect(reconcile(viewOf(past, { runs: [run()] }))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
    const judged = { policy: { ...policy, areFilesJudged: true } };
    expect(reconcile(viewOf(past, { runs: [run()], ...judged }))).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('records its end first', () => {
    const view = viewOf(working, { runs: [run({ phase: 'ended' })], stopReason: 'Ctrl-C' });
    expect(reconcile(view)).toEqual([{ do: 'record-exit', runId: 'run-1' }]);
  });

  it.each<[string, Candidate]>([
    ['skipped', on('demo/a', 'task.skipped')],
    ['cancelled', on('demo/a', 'task.cancelled')],
    ['cancelled with the sprint', on('demo', 'sprint.cancelled')],
  ])('stops it at once when its task was %s', (_, last) => {
    expect(reconcile(viewOf([...working, last], { runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
  });

  it('lets it work on while the sprint is paused', () => {
    expect(reconcile(viewOf([...working, paused], { runs: [run()] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
  });

  it('gives it time to end after it completed its task, and no other task its place', () => {
    const runs = [run({ completedAt: now })];
    const past = [...working, completed];
    expect(reconcile(viewOf(past, { runs }))).toEqual([{ do: 'wait', for: 'agent', until: now + 10_000 }]);
    expect(reconcile(viewOf(past, { runs, now: now + 10_000 }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'finished' },
    ]);
  });

  it('does not count the time it waits for a human about the sprint', () => {
    const about = on('demo', 'help.requested', { origin: { agent: 'run-1', runId: 'run-1' } });
    const view = viewOf([...alone, about, completed], { runs: [run({ completedAt: 0 })] });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('lets it end before the sprint is completed: it may want to complete it itself', () => {
    const view = viewOf([...working, completed, skippedB], { runs: [run({ completedAt: now })] });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'agent', until: now + 10_000 }]);
  });

  it('lets it end before the sprint fails', () => {
    const runs = [run({ runId: 'run-2', taskId: 'b' })];
    const both = [...working, on('demo/b', 'task.started', { runId: 'run-2' }), exited, failed];
    expect(reconcile(viewOf(both, { runs }))).toEqual([{ do: 'wait', for: 'agent' }]);
  });

  it('starts no second agent on a task that was reset while the first is being stopped', () => {
    const past = [...working, on('demo/a', 'task.skipped'), on('demo/a', 'task.reset'), skippedB];
    const view = viewOf(past, {
      runs: [run({ phase: 'stopping' })],
      policy: { ...policy, concurrency: 2 },
    });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'agent' }]);
  });
});

describe('told to stop, the next action', () => {
  it('stops the agents, waits for them, then ends', () => {
    const stopReason = 'Ctrl-C';
    expect(reconcile(viewOf(working, { stopReason, runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
    expect(reconcile(viewOf(working, { stopReason, runs: [run({ phase: 'stopping' })] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
    expect(reconcile(viewOf(working, { stopReason }))).toEqual([
      { do: 'end', end: { outcome: 'stopped', reason: 'Ctrl-C' } },
    ]);
  });
});

describe('without waiting for humans, the next action', () => {
  const noWait = { policy: { ...policy, wait: false } };

  it('ends a sprint that only an answer can move', () => {
    expect(reconcile(viewOf([...alone, asked, exited], noWait))).toEqual([
      { do: 'end', end: { outcome: 'blocked', reason: 'a human has to answer a: Which one?' } },
    ]);
  });

  it('ends one that has nothing left as what it is, and not as one that an answer could move', () => {
    expect(reconcile(viewOf([...working, exited, failed, skippedB], noWait))).toMatchObject([
      { do: 'fail-sprint' },
    ]);
    const done = [...working, completed, exited, skippedB];
    expect(reconcile(viewOf(done, noWait))).toEqual([{ do: 'complete-sprint' }]);
  });

  it('stops an agent that waits for an answer', () => {
    expect(reconcile(viewOf([...alone, asked], { ...noWait, runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
  });

  it('ends a paused sprint when its agents are done', () => {
    expect(reconcile(viewOf([...working, paused], { ...noWait, runs: [run()] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
    expect(reconcile(viewOf([...working, exited, paused], noWait))).toEqual([
      { do: 'end', end: { outcome: 'blocked', reason: 'the sprint is paused' } },
    ]);
  });

  it('still waits out the delay of a retry', () => {
    const past = [...working, exited, on('demo/a', 'task.retried')];
    expect(reconcile(viewOf(past, { ...noWait, retryAt: new Map([['a', now + 500]]) }))).toEqual([
      { do: 'wait', for: 'retry', until: now + 500 },
    ]);
  });
});

describe('the agent at work', () => {
  const watched = (facts: Partial<Watch>, more: Partial<RunView> = {}) =>
    run({ watch: { ...quiet, ...facts }, ...more });
  const next = (one: RunView, past: readonly Candidate[] = working, knows: Partial<RunnerView> = {}) =>
    reconcile(viewOf(past, { runs: [one], ...knows }));
  const ends = (reason: EndReason, detail: string) => [{ do: 'stop-agent', runId: 'run-1', reason, detail }];
  const connected = on('demo/a', 'agent.connected');
  const agent = on('demo/a', 'agent.started');
  const failed = { ...silentReport, mcp: { status: 'failed', detail: 'spawn ENOENT' } } as const;

  it('is looked at again when that is due', () => {
    expect(next(watched({ nextAt: now + 75 }))).toEqual([{ do: 'wait', for: 'agent', until: now + 75 }]);
  });

  it('is ended when it does not connect to Clifford in time', () => {
    const late = watched({ ranMs: limits.connect }, { connects: true });
    const detail = 'the agent did not connect to Clifford within 60 s';
    expect(next(late, [...working, agent])).toEqual(ends('unconnected', detail));
    expect(next(late, [...working, agent, connected])).toMatchObject([{ do: 'wait' }]);
    expect(next({ ...late, connects: false })).toMatchObject([{ do: 'wait' }]);
    expect(next(watched({ ranMs: limits.connect - 1 }, { connects: true }))).toMatchObject([{ do: 'wait' }]);
  });

  it('is ended at once when it says that it cannot connect', () => {
    const report = run({ connects: true, report: failed });
    expect(next(report, [...working, agent])).toEqual(
      ends('unconnected', 'the agent did not connect to Clifford'),
    );
    expect(next(report, [...working, agent, connected])).toMatchObject([{ do: 'wait' }]);
  });

  it('is ended when it is unresponsive, and that is recorded first', () => {
    expect(next(watched({ silentMs: limits.idle }))).toEqual([
      { do: 'record-stall', runId: 'run-1', idleMs: limits.idle },
      ...ends('stalled', 'the agent was unresponsive for 10 min'),
    ]);
    expect(next(watched({ silentMs: limits.idle - 1 }))).toMatchObject([{ do: 'wait' }]);
  });

  it('is ended, too, behind words that are only taken for a prompt, and not at one that is known', () => {
    const origin = { agent: 'run-1', runId: 'run-1' };
    const past = [...working, on('demo/a', 'help.requested', { requestId: 'q-1', kind: 'prompt', origin })];
    const prompt = { requestId: 'q-1', hasGoneOn: false, isTypable: true };
    const isEnded = (at: typeof prompt & { isGuess?: true }) =>
      next(watched({ silentMs: limits.idle }, { prompt: at }), past).some((each) => each.do === 'stop-agent');
    expect(isEnded({ ...prompt, isGuess: true })).toBe(true);
    expect(isEnded(prompt)).toBe(false);
    // Another one that it waits for, too, is meant.
    expect(isEnded({ ...prompt, requestId: 'q-2', isGuess: true })).toBe(false);
  });

  it('takes what is only taken for a prompt with it when it ends, and nothing that is known for one', () => {
    const origin = { agent: 'run-1', runId: 'run-1' };
    const past = [...working, on('demo/a', 'help.requested', { requestId: 'q-1', kind: 'prompt', origin })];
    const prompt = { requestId: 'q-1', hasGoneOn: false, isTypable: true };
    const ended = (at: typeof prompt & { isGuess?: true }) => next(run({ phase: 'ended', prompt: at }), past);
    expect(ended({ ...prompt, isGuess: true })).toEqual([{ do: 'end-prompt', runId: 'run-1' }]);
    expect(ended(prompt)).toEqual([{ do: 'record-exit', runId: 'run-1' }]);
  });

  it('may be silent for longer while it uses a tool', () => {
    expect(next(watched({ silentMs: limits.idle }, { usesTool: true }))).toMatchObject([{ do: 'wait' }]);
    expect(next(watched({ silentMs: limits.tool }, { usesTool: true }))).toMatchObject([
      { do: 'record-stall' },
      { reason: 'stalled', detail: 'the agent was unresponsive for 60 min while it used a tool' },
    ]);
  });

  it('is ended when its turn is over and it does not exit', () => {
    const report = { ...silentReport, isTurnOver: true };
    const detail = 'the agent ended its turn without completing the task, and did not exit within 10 s';
    expect(next(watched({ idleMs: limits.exit }, { report }))).toEqual(ends('hung', detail));
    expect(next(watched({ idleMs: limits.exit - 1 }, { report }))).toMatchObject([{ do: 'wait' }]);
  });

  it('is ended when its time is up', () => {
    const detail = 'the agent took longer than 4 h';
    expect(next(watched({ ranMs: limits.attempt }))).toEqual(ends('overtime', detail));
  });

  it.each<[string, RunView]>([
    ['was silent for too long', watched({ silentMs: limits.tool })],
    ['is over its time', watched({ ranMs: limits.attempt })],
    ['ended its turn', watched({ idleMs: limits.exit }, { report: { ...silentReport, isTurnOver: true } })],
    ['has not connected', watched({ ranMs: limits.connect }, { connects: true })],
  ])('may go on while it waits for a human, also one that %s', (_, one) => {
    expect(next(one, [...alone, asked])).toEqual([{ do: 'wait', for: 'human' }]);
  });

  describe('that has waited for a human for long', () => {
    const wait = { since: now - 1_000, until: now, isOver: true, sample: undefined };
    const waiting = run({ wait });
    const park = [{ do: 'park-agent', runId: 'run-1' }];
    const askedToo = (data: object) => on('demo/a', 'help.requested', { requestId: 'q-2', ...data });

    it('is parked', () => {
      expect(next(waiting, [...alone, asked])).toEqual(park);
      expect(
        next(waiting, [...alone, asked, askedToo({ origin: { agent: 'run-1', runId: 'run-1' } })]),
      ).toEqual(park);
    });

    it('is not parked before the time is over', () => {
      const early = run({ wait: { ...wait, until: now + 5, isOver: false } });
      expect(next(early, [...alone, asked])).toEqual([{ do: 'wait', for: 'human', until: now + 5 }]);
    });

    it.each<[string, Candidate]>([
      ['has its answer', answered],
      ['does not wait for every question', askedToo({ origin: { agent: 'session-9' } })],
      ['waits at a prompt', askedToo({ kind: 'prompt', origin: { agent: 'run-1', runId: 'run-1' } })],
      ['was told to call again', on('demo/a', 'help.detached', { agent: 'run-1' })],
    ])('is not parked when it %s', (_, last) => {
      expect(next(waiting, [...alone, asked, last])).not.toEqual(park);
    });

    it('is not parked while it has another call open', () => {
      const past = [...alone, asked];
      const using = (...openTools: string[]) => run({ wait, report: { ...silentReport, openTools } });
      expect(next(using('the question'), past)).toEqual(park);
      expect(next(using('the question', 'a build'), past)).not.toEqual(park);
      expect(next(run({ wait, openCalls: 1 }), past)).toEqual(park);
      expect(next(run({ wait, openCalls: 2 }), past)).not.toEqual(park);
    });

    it('keeps its place where files are checked or committed', () => {
      const past = [...working, on('demo/a', 'agent.started'), asked, on('demo/a', 'agent.parked'), exited];
      expect(reconcile(viewOf(past))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
      const judged = { policy: { ...policy, areFilesJudged: true } };
      expect(reconcile(viewOf(past, judged))).toEqual([{ do: 'wait', for: 'human' }]);
      expect(reconcile(viewOf([...past, answered], judged))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
    });
  });

  it('may go on without limits', () => {
    const none = { connect: 0, idle: 0, tool: 0, exit: 0, attempt: 0 };
    const report = { ...silentReport, isTurnOver: true };
    const long = watched({ ranMs: 1e12, silentMs: 1e12, idleMs: 1e12 }, { connects: true, report });
    expect(next(long, working, { policy: { ...policy, limits: none } })).toMatchObject([{ do: 'wait' }]);
  });

  it.each([{ silentMs: limits.idle }, { ranMs: limits.attempt }])(
    'that was refused more by its provider is ended for that, not for %j',
    (facts) => {
      const report = { ...silentReport, limit: { message: 'try later', resetsAt: undefined } };
      expect(next(watched(facts, { report }))).toMatchObject([{ do: 'stop-agent', reason: 'limited' }]);
    },
  );

  it('that was refused more is ended, too, when it only tries again and again', () => {
    const report = { ...silentReport, limit: { message: 'try later', resetsAt: undefined } };
    expect(next(watched({ limitedMs: limits.idle }, { report }))).toEqual(
      ends('limited', 'the agent hit its usage limit and did not continue for 10 min'),
    );
    expect(next(watched({ limitedMs: limits.idle - 1 }, { report }))).toMatchObject([{ do: 'wait' }]);
  });

  it('that was refused more before it connected burns no attempt either', () => {
    const report = { ...silentReport, limit: { message: 'try later', resetsAt: undefined } };
    const late = watched({ ranMs: limits.connect }, { connects: true, report });
    expect(next(late, [...working, agent])).toMatchObject([{ do: 'stop-agent', reason: 'limited' }]);
    const broken = { ...late, report: { ...failed, limit: report.limit } };
    expect(next(broken, [...working, agent])).toMatchObject([{ do: 'stop-agent', reason: 'unconnected' }]);
  });

  it('is ended when a budget is used up', () => {
    const usage = on('demo/a', 'agent.usage', { tokens: { input: 90, output: 10 } });
    const tight = {
      policy: { ...policy, budget: configSchema.parse({ budget: { task: { tokens: 100 } } }).budget },
    };
    const detail = 'task a has used up its budget: 100 of 100 tokens; raise budget.task.tokens to go on';
    expect(next(run(), [...working, usage], tight)).toEqual(ends('overspent', detail));
    expect(reconcile(viewOf([...working, usage, exited], tight))).toEqual([
      { do: 'end', end: { outcome: 'overspent', reason: detail } },
    ]);
    expect(reconcile(viewOf([...working, usage, asked, exited], tight))).toMatchObject([{ do: 'end' }]);
    // The next task has a budget of its own.
    const completed = on('demo/a', 'task.completed', { runId: 'run-1' });
    expect(reconcile(viewOf([...working, usage, completed, exited], tight))).toEqual([
      { do: 'start-attempt', taskId: 'b' },
    ]);
  });

  it('that nobody started may use up the budget of its task: that is not ours to end', () => {
    const byHand = on('demo/a', 'task.started', { runId: undefined });
    const usage = on('demo/a', 'agent.usage', { tokens: { input: 90, output: 10 } });
    const tight = {
      policy: { ...policy, budget: configSchema.parse({ budget: { task: { tokens: 100 } } }).budget },
    };
    expect(reconcile(viewOf([created, started, byHand, usage], tight))).toEqual([
      { do: 'start-attempt', taskId: 'b' },
    ]);
  });

  it('is not started when a budget is used up already', () => {
    const day = new Date(now).toISOString().slice(0, 10);
    const view = viewOf([created, started], {
      spending: { day, usage: { input: 5, output: 5, costUsd: 0 } },
      policy: { ...policy, budget: configSchema.parse({ budget: { day: { tokens: 10 } } }).budget },
    });
    expect(reconcile(view)).toMatchObject([{ do: 'end', end: { outcome: 'overspent' } }]);
  });
});

describe('after its agent was refused more, a task', () => {
  const at = 1_800_000_000_000;
  const resets = at + 3_600_000;
  const agentStarted = on('demo/a', 'agent.started', { agent: 'main' });
  const limited = (more: object = {}) => on('demo/a', 'agent.limited', more);
  const until = { resetsAt: new Date(resets).toISOString() };
  const ended = on('demo/a', 'agent.exited', { reason: 'limited' });
  const past = [...working, agentStarted, limited(until), ended];
  const agents = (fallback?: string) => ({
    policy: { ...policy, agents: new Map<string, TaskAgents>([['a', { main: 'main', fallback }]]) },
  });

  it('waits until its limit ends, and a little longer', () => {
    expect(reconcile(viewOf(past, { now: at, ...agents() }))).toMatchObject([
      { do: 'wait', for: 'limit', taskId: 'a', until: resets + 3_000 },
    ]);
    expect(reconcile(viewOf(past, { now: resets + 3_000, ...agents() }))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('waits for a while that doubles when nobody says until when', () => {
    const again = (n: number) => {
      const ids = { runId: `run-${n}`, attempt: n };
      return [
        on('demo/a', 'task.started', ids),
        on('demo/a', 'agent.started', { agent: 'main', ...ids }),
        limited({ runId: ids.runId }),
        limited({ runId: ids.runId }),
        on('demo/a', 'agent.exited', { reason: 'limited', runId: ids.runId }),
      ];
    };
    const waits = [1, 2, 3, 4, 5, 6].map((n) => {
      const history = Array.from({ length: n - 1 }, (_, index) => again(index + 2)).flat();
      const all = [...working, agentStarted, limited(), ended, ...history];
      const [action] = reconcile(viewOf(all, { now: at, ...agents() }));
      const saidAt = at + all.findLastIndex(({ type }) => type === 'agent.limited') * 1_000;
      return action?.do === 'wait' && action.until !== undefined ? (action.until - saidAt) / 60_000 : action;
    });
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('ends the run where nobody waits, and says who goes on when', () => {
    const view = viewOf(past, { now: at, policy: { ...agents().policy, wait: false } });
    expect(reconcile(view)).toMatchObject([
      {
        do: 'end',
        end: { outcome: 'limited', reason: expect.stringMatching(/^task a: the usage limit of main/) },
      },
    ]);
  });

  it('goes on at once with the agent that stands in, and with its own after the reset', () => {
    expect(reconcile(viewOf(past, { now: at, ...agents('other') }))).toEqual([
      { do: 'start-attempt', taskId: 'a', isFallback: true },
    ]);
    expect(reconcile(viewOf(past, { now: resets + 3_000, ...agents('other') }))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('waits for the limit that ends first when the other agent is refused more, too', () => {
    const ids = { runId: 'run-2', attempt: 2 };
    const other = (resetsAt: number) => [
      ...past,
      on('demo/a', 'task.started', ids),
      on('demo/a', 'agent.started', { agent: 'other', ...ids }),
      limited({ runId: 'run-2', resetsAt: new Date(resetsAt).toISOString() }),
      on('demo/a', 'agent.exited', { reason: 'limited', runId: 'run-2' }),
    ];
    const knows = { now: at, ...agents('other') };
    expect(reconcile(viewOf(other(resets + 1), knows))).toMatchObject([{ until: resets + 3_000 }]);
    expect(reconcile(viewOf(other(resets - 1), knows))).toMatchObject([{ until: resets + 2_999 }]);
  });

  const both = (fallback?: string) => ({
    policy: {
      ...policy,
      agents: new Map<string, TaskAgents>(['a', 'b'].map((id) => [id, { main: 'main', fallback }])),
    },
  });

  it('is not the only one that waits: nothing starts that agent, in whatever task or sprint', () => {
    const over = [...past, on('demo/a', 'task.skipped')];
    const wait = { do: 'wait', for: 'limit', taskId: 'b', until: resets + 3_000 };
    expect(reconcile(viewOf(over, { now: at, ...both() }))).toMatchObject([wait]);
    expect(reconcile(viewOf(over, { now: resets + 3_000, ...both() }))).toEqual([
      { do: 'start-attempt', taskId: 'b' },
    ]);
    const { limits: elsewhere } = new History(...past).state;
    const view = viewOf([created, started], { now: at, limits: elsewhere, ...both() });
    expect(reconcile(view)).toMatchObject([{ ...wait, taskId: 'a' }]);
    const byHand = [created, started, on('demo/a', 'task.started', { runId: undefined }), skippedB];
    expect(reconcile(viewOf(byHand, { now: at, limits: elsewhere, ...both() }))).toMatchObject([
      { ...wait, taskId: 'a' },
    ]);
  });

  it('does not lend its place to a later one of another agent, unless there is room for both', () => {
    const { limits: elsewhere } = new History(...past).state;
    const agentsOf = new Map<string, TaskAgents>([
      ['a', { main: 'main', fallback: undefined }],
      ['b', { main: 'other', fallback: undefined }],
    ]);
    const next = (concurrency: number) =>
      reconcile(
        viewOf([created, started], {
          now: at,
          limits: elsewhere,
          policy: { ...policy, concurrency, agents: agentsOf },
        }),
      );
    expect(next(1)).toMatchObject([{ do: 'wait', for: 'limit', taskId: 'a' }]);
    expect(next(2)).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('ends the run at once when a budget is used up, too: there is nothing to wait for', () => {
    const view = viewOf([created, started], {
      now: at,
      limits: new History(...past).state.limits,
      spending: {
        day: new Date(at).toISOString().slice(0, 10),
        usage: { input: 5, output: 5, costUsd: 0 },
      },
      policy: { ...both().policy, budget: configSchema.parse({ budget: { day: { tokens: 10 } } }).budget },
    });
    expect(reconcile(view)).toMatchObject([{ do: 'end', end: { outcome: 'overspent' } }]);
  });

  it('has the agent that stands in begin the next task, too, and its own after the reset', () => {
    const over = [...past, on('demo/a', 'task.skipped')];
    expect(reconcile(viewOf(over, { now: at, ...both('other') }))).toEqual([
      { do: 'start-attempt', taskId: 'b', isFallback: true },
    ]);
    expect(reconcile(viewOf(over, { now: resets + 3_000, ...both('other') }))).toEqual([
      { do: 'start-attempt', taskId: 'b' },
    ]);
  });

  it('does not wait when the agent went on by itself, and ended', () => {
    const went = [...working, agentStarted, limited(until), on('demo/a', 'agent.exited')];
    expect(reconcile(viewOf(went, { now: at, ...agents() }))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });
});

describe('before the first attempt at a task, the next action', () => {
  const nobody = { prepared: new Set<string>() };

  it('prepares it, and starts no other task meanwhile', () => {
    expect(reconcile(viewOf([created, started], nobody))).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
    expect(reconcile(viewOf([created, started], { jobs: [job()] }))).toEqual([{ do: 'wait', for: 'job' }]);
  });

  it('prepares as many as there is room for', () => {
    const view = viewOf([created, started], {
      ...nobody,
      jobs: [job()],
      policy: { ...policy, concurrency: 2 },
    });
    expect(reconcile(view)).toEqual([{ do: 'prepare-task', taskId: 'b' }]);
  });

  it('records what it has to say, also when the runner was told to stop', () => {
    const record = [{ do: 'record-job', jobId: 'preparation of a' }];
    const jobs = [job({ hasFacts: true })];
    expect(reconcile(viewOf([created, started], { jobs }))).toEqual(record);
    const stopReason = 'Ctrl-C';
    expect(reconcile(viewOf([created, started], { jobs: [job({ phase: 'ended' })], stopReason }))).toEqual(
      record,
    );
  });

  it('starts it once it is prepared', () => {
    expect(reconcile(viewOf([created, started], { prepared: new Set(['a']) }))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('prepares it anew after a pause: somebody may have worked on the files', () => {
    const memory = Object.assign(new RunnerMemory(), { entered: true, recovered: true, takenUp: true });
    memory.prepared.add('a');
    const past = [created, started];
    const next = () =>
      reconcile(
        memory.view(new History(...past).sprint(), {
          policy,
          now,
          spending: { day: '', usage: noUsage },
          limits: [],
          retryAt: new Map(),
        }),
      );
    expect(next()).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
    past.push(paused);
    expect(next()).toEqual([{ do: 'wait', for: 'resume' }]);
    past.push(on('demo', 'sprint.resumed'));
    expect(next()).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
  });

  it('prepares it anew when it was reset, and never one that was begun', () => {
    const reset = [...working, exited, failed, on('demo/a', 'task.reset')];
    expect(reconcile(viewOf(reset, nobody))).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
    expect(reconcile(viewOf([...working, exited], nobody))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });

  it.each<[string, Candidate]>([
    ['the sprint was paused', paused],
    ['the sprint was cancelled', on('demo', 'sprint.cancelled')],
    ['the task was skipped', on('demo/a', 'task.skipped')],
    ['an agent nobody started works on it', on('demo/a', 'task.started', { runId: undefined })],
  ])('ends it when %s', (_, last) => {
    const past = [created, started, last];
    expect(reconcile(viewOf(past, { jobs: [job()] }))).toEqual([
      { do: 'stop-job', jobId: 'preparation of a' },
    ]);
  });

  it('ends it, waits for it, then ends, when the runner was told to stop', () => {
    const stopReason = 'Ctrl-C';
    const next = (jobs: JobView[]) => reconcile(viewOf([created, started], { stopReason, jobs }));
    expect(next([job()])).toEqual([{ do: 'stop-job', jobId: 'preparation of a' }]);
    expect(next([job({ phase: 'stopping' })])).toEqual([{ do: 'wait', for: 'job' }]);
    expect(next([])).toEqual([{ do: 'end', end: { outcome: 'stopped', reason: 'Ctrl-C' } }]);
  });

  it('does not end a run without waiting while it goes on', () => {
    const view = viewOf([created, started, paused], {
      jobs: [job({ phase: 'stopping' })],
      policy: { ...policy, wait: false },
    });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'job' }]);
  });
});

describe('after a task was completed, the next action', () => {
  const byRunner = on('demo/a', 'agent.started');
  const past = [created, started, begun, byRunner, completed];
  const toCommit = new Set(['a']);
  const commit = job({ jobId: 'commit of a', kind: 'commit' });
  const committed = on('demo/a', 'task.committed');

  it('lets its agent end before its commit', () => {
    const view = viewOf(past, { toCommit, runs: [run({ completedAt: now })] });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'agent', until: now + limits.exit }]);
  });

  it('makes its commit before another task starts, and before the sprint is completed', () => {
    for (const rest of [[], [skippedB]]) {
      const ended = [...past, exited, ...rest];
      expect(reconcile(viewOf(ended, { toCommit }))).toEqual([{ do: 'start-commit', taskId: 'a' }]);
      expect(reconcile(viewOf(ended, { toCommit, jobs: [commit] }))).toEqual([{ do: 'wait', for: 'job' }]);
    }
    expect(reconcile(viewOf([...past, exited, committed], { toCommit }))).toEqual([
      { do: 'start-attempt', taskId: 'b' },
    ]);
    expect(reconcile(viewOf([...past, exited, committed, skippedB], { toCommit }))).toEqual([
      { do: 'complete-sprint' },
    ]);
  });

  it('makes its commit when its agent has completed the sprint, too, and then ends', () => {
    const over = [...past, skippedB, on('demo', 'sprint.completed'), exited];
    expect(reconcile(viewOf(over, { toCommit }))).toEqual([{ do: 'start-commit', taskId: 'a' }]);
    expect(reconcile(viewOf(over, { toCommit, jobs: [commit] }))).toEqual([{ do: 'wait', for: 'job' }]);
    expect(reconcile(viewOf([...over, committed], { toCommit }))).toMatchObject([{ do: 'end' }]);
  });

  it.each(['commit', 'merge'] as const)(
    'ends its %s, and begins none, when the sprint is cancelled',
    (kind) => {
      const over = [...past, exited, on('demo', 'sprint.cancelled')];
      const jobs = [job({ jobId: `${kind} of a`, kind })];
      expect(reconcile(viewOf(over, { toCommit, jobs }))).toEqual([
        { do: 'stop-job', jobId: `${kind} of a` },
      ]);
      expect(reconcile(viewOf(over, { toCommit }))).toMatchObject([
        { do: 'end', end: { outcome: 'cancelled' } },
      ]);
    },
  );

  it('makes no commit of a task that was completed by hand, in the manifest, or not at all', () => {
    const byHand = [created, started, on('demo/a', 'task.started', { runId: undefined })];
    const histories = [
      [...byHand, on('demo/a', 'task.completed')],
      [created, on('demo/a', 'task.completed', { by: 'manifest' }), started],
      [...working, exited, on('demo/a', 'task.skipped')],
    ];
    for (const each of histories)
      expect(reconcile(viewOf(each, { toCommit }))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });
});

describe('a runner that was told to begin nothing new', () => {
  const draining = { drainReason: 'SIGTERM' };
  const end = { do: 'end', end: { outcome: 'stopped', reason: 'SIGTERM' } };

  it('lets the agent at work go on', () => {
    expect(reconcile(viewOf(working, { ...draining, runs: [run()] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
  });

  it('starts no other task, and ends', () => {
    expect(reconcile(viewOf([...working, completed, exited], draining))).toEqual([end]);
  });

  it('ends an agent that waits for a human', () => {
    expect(reconcile(viewOf([...working, asked], { ...draining, runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
  });

  it('commits what a task has made before it ends', () => {
    const toCommit = new Set(['a']);
    const agent = on('demo/a', 'agent.started', { attempt: 1 });
    const done = [...working, agent, completed, exited];
    expect(reconcile(viewOf(done, { ...draining, toCommit }))).toEqual([{ do: 'start-commit', taskId: 'a' }]);
  });

  it('completes the sprint with its last task', () => {
    expect(reconcile(viewOf([...alone, completed, exited], draining))).toEqual([{ do: 'complete-sprint' }]);
  });

  it('ends one that it has not begun', () => {
    expect(reconcile(viewOf([created], { ...draining, takenUp: false }))).toEqual([end]);
  });
});

describe('a runner that goes on with what another one has left', () => {
  const first = { takenUp: false, policy: { ...policy, keepsFailed: true } };

  it('tries no task again that has failed', () => {
    expect(reconcile(viewOf([...working, exited, failed], first))).toEqual([{ do: 'start-sprint' }]);
  });

  it('tries all of them again once the sprint has failed', () => {
    const over = [...alone, exited, failed, on('demo', 'sprint.failed')];
    expect(reconcile(viewOf(over, first))).toEqual([
      { do: 'reset-tasks', taskIds: ['a'] },
      { do: 'start-sprint' },
    ]);
  });
});
