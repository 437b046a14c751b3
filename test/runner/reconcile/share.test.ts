import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { noUsage } from '../../../src/machines/usage.ts';
import { reconcile } from '../../../src/runner/reconcile/reconcile.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import type { ShareRules } from '../../../src/runner/reconcile/share-rules.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { History, on } from '../../helpers/history.ts';

const parking = configSchema.parse({});

const owner: ShareRules = {
  as: 'owner',
  total: 2,
  sharable: new Set(['a', 'b', 'c']),
  foreign: new Set<string>(),
};

/** What a runner does next that has taken up a sprint with this history. `knows`: what it remembers. */
function next(share: ShareRules, past: readonly Candidate[], knows: Partial<RunnerMemory> = {}) {
  const history = new History(...past);
  const memory = Object.assign(new RunnerMemory(), { entered: true, recovered: true, takenUp: true }, knows);
  const view = memory.view(history.sprint(), {
    policy: {
      wait: true,
      concurrency: 1,
      failFast: false,
      isolation: 'none',
      paths: new Map(),
      areFilesJudged: true,
      limits: parking.limits,
      budget: parking.budget,
      parking,
      agents: new Map(),
      share,
    },
    spending: { day: '', usage: noUsage },
    limits: [],
    retryAt: new Map(),
    now: 1_000_000,
  });
  return reconcile(view);
}

const begun = [
  on('demo', 'sprint.created', {
    tasks: ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` })),
  }),
  on('demo', 'sprint.started'),
];
const offered = (id: string) => on(`demo/${id}`, 'offer.made', { worker: 'one', base: 'base', needs: [] });
const taken = (id: string) => on(`demo/${id}`, 'offer.taken', { worker: 'two', branch: id });
const ended = (id: string, sha?: string) =>
  on(`demo/${id}`, 'offer.ended', {
    worker: 'two',
    outcome: sha === undefined ? 'unusable' : 'done',
    reason: 'why',
    sha,
  });
const done = (id: string) => [on(`demo/${id}`, 'task.started'), on(`demo/${id}`, 'task.completed')];

describe('who has a sprint', () => {
  it('begins a task itself and offers the next one, as many as may be under way', () => {
    expect(next(owner, begun)).toEqual([
      { do: 'prepare-task', taskId: 'a' },
      { do: 'offer-task', taskId: 'b' },
    ]);
    expect(next({ ...owner, total: 1 }, begun)).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
    expect(next(owner, [...begun, offered('b')])).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
  });

  it('offers nothing whose work becomes no commit, and nothing for a while once the queue took none', () => {
    expect(next({ ...owner, sharable: new Set(['a', 'c']) }, begun)).toContainEqual({
      do: 'offer-task',
      taskId: 'c',
    });
    expect(next(owner, begun, { sharesFrom: 1_000_001 })).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
  });

  it('leaves alone what another one has, whatever becomes of it there', () => {
    const away = [...begun, ...done('a'), offered('b'), taken('b'), ...done('b')];
    expect(next(owner, away)).toEqual([{ do: 'prepare-task', taskId: 'c' }]);
    expect(next(owner, [...away, ...done('c')])).toEqual([{ do: 'wait', for: 'worker' }]);
  });

  it('merges what another one has pushed', () => {
    const pushed = [...begun, offered('b'), taken('b'), ...done('b'), ended('b', 'sha')];
    expect(next(owner, pushed)).toEqual([{ do: 'start-merge', taskId: 'b' }]);
  });

  it('takes back what nobody has taken once it has room, and does itself what another one could not', () => {
    const open = [...begun, ...done('a'), ...done('c'), offered('b')];
    expect(next(owner, open)).toEqual([{ do: 'withdraw-offer', taskId: 'b' }]);
    expect(next(owner, [...open, taken('b')])).toEqual([{ do: 'wait', for: 'worker' }]);
    expect(next(owner, [...open, taken('b'), ended('b')])).toEqual([{ do: 'prepare-task', taskId: 'b' }]);
  });

  it('offers what needs another machine, waits for it, and fails when none could do it', () => {
    const rules = { ...owner, total: 1, foreign: new Set(['b']) };
    const rest = [...begun, ...done('a'), ...done('c')];
    expect(next(rules, begun)).toEqual([{ do: 'prepare-task', taskId: 'a' }]);
    expect(next(rules, rest)).toEqual([{ do: 'offer-task', taskId: 'b' }]);
    expect(next(rules, [...rest, offered('b')])).toEqual([{ do: 'wait', for: 'worker' }]);
    expect(next(rules, [...rest, offered('b'), taken('b'), ended('b')])).toEqual([
      { do: 'fail-sprint', reason: 'no other worker could do b' },
    ]);
  });
});

describe('a task that only another machine can do', () => {
  const rules = { ...owner, total: 1, foreign: new Set(['b']) };
  const rest = [...begun, ...done('a'), ...done('c')];
  const failed = [on('demo/b', 'task.started'), on('demo/b', 'task.failed', { reason: 'exit 3' })];
  const tried = [...rest, offered('b'), taken('b'), ...failed, ended('b')];

  it('is offered again when a human wants it again', () => {
    expect(next(rules, tried)).toEqual([{ do: 'fail-sprint', reason: 'b failed' }]);
    expect(next(rules, [...tried, on('demo/b', 'task.reset', { by: 'ada' })])).toEqual([
      { do: 'offer-task', taskId: 'b' },
    ]);
  });

  it('is offered in the middle, when the worker that began it with the sprint is gone', () => {
    const started = [...rest, on('demo/b', 'task.started')];
    expect(next(rules, started)).toEqual([{ do: 'offer-task', taskId: 'b' }]);
    expect(next(rules, [...started, offered('b')])).toEqual([{ do: 'wait', for: 'worker' }]);
  });

  it('waits until it can be offered again, and the sprint with it', () => {
    const until = 1_000_001;
    expect(next(rules, rest, { sharesFrom: until })).toEqual([{ do: 'wait', for: 'worker', until }]);
    expect(next(rules, rest, { sharesFrom: 1_000_000 })).toEqual([{ do: 'offer-task', taskId: 'b' }]);
  });

  it('is named where the sprint cannot go on without it', () => {
    const tasks = [
      { id: 'a', file: 'a.md' },
      { id: 'b', file: 'b.md', dependsOn: ['a'] },
    ];
    const created = [on('demo', 'sprint.created', { tasks }), on('demo', 'sprint.started')];
    const cancelled = on('demo/a', 'task.cancelled', { by: 'ada' });
    expect(next(rules, [...created, cancelled])).toEqual([
      { do: 'fail-sprint', reason: 'no task can start: b waits for a (cancelled)' },
    ]);
  });
});

describe('who has one task of a sprint', () => {
  const helper: ShareRules = { as: 'helper', taskId: 'b' };
  const held = [...begun, offered('b'), taken('b')];

  it('begins it, whatever it depends on, and no other', () => {
    expect(next(helper, held)).toEqual([{ do: 'prepare-task', taskId: 'b' }]);
  });

  it('ends with it, and merges nothing', () => {
    expect(next(helper, [...held, ...done('b')])).toEqual([
      { do: 'end', end: { outcome: 'completed', reason: 'task b is done' } },
    ]);
    const failed = [on('demo/b', 'task.started'), on('demo/b', 'task.failed', { reason: 'exit 3' })];
    expect(next(helper, [...held, ...failed])).toEqual([
      { do: 'end', end: { outcome: 'failed', reason: 'task b failed: exit 3' } },
    ]);
  });

  it('commits before it ends', () => {
    const toCommit = new Set(['b']);
    const worked = [
      on('demo/b', 'task.started'),
      on('demo/b', 'agent.started'),
      on('demo/b', 'task.completed'),
    ];
    expect(next(helper, [...held, ...worked], { toCommit })).toEqual([{ do: 'start-commit', taskId: 'b' }]);
  });

  it('stands still while the sprint is paused', () => {
    expect(next(helper, [...held, on('demo', 'sprint.paused')])).toEqual([{ do: 'wait', for: 'resume' }]);
  });
});
