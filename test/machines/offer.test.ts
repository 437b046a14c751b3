import { describe, expect, it } from 'vitest';
import { isElsewhere } from '../../src/machines/fold-offer.ts';
import { mergeOf, stuckOf } from '../../src/machines/fold-worktree.ts';
import { readyTasks } from '../../src/machines/ready-tasks.ts';
import { checkLegality, type Candidate } from '../../src/machines/legality.ts';
import { History, on } from '../helpers/history.ts';

const created = on('demo', 'sprint.created', {
  name: 'demo',
  manifest: 'sprints/demo/manifest.json',
  tasks: [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'b.md', dependsOn: ['a'] },
  ],
});
const started = on('demo', 'sprint.started');
const made = on('demo/a', 'offer.made', { worker: 'owner', base: 'base', needs: ['gpu'] });
const taken = (worker: string) => on('demo/a', 'offer.taken', { worker, branch: `of-${worker}` });
const ended = (worker: string, sha?: string) =>
  on('demo/a', 'offer.ended', { worker, outcome: 'done', reason: 'completed', sha });
const done = [on('demo/a', 'task.started'), on('demo/a', 'task.completed')];

function taskAfter(...past: readonly Candidate[]) {
  const sprint = new History(created, started, ...past).sprint();
  const task = sprint.tasks.get('a');
  if (!task) throw new Error('no task');
  return { sprint, task };
}

describe('a task whose work is lost', () => {
  const lost = on('demo/a', 'work.lost', { by: 'ada', reason: 'gone' });
  const reopened = on('demo/a', 'task.reopened', { by: 'ada', reason: 'gone' });
  const committed = on('demo/a', 'task.committed', { sha: 'sha', files: ['a'], attempt: 1 });
  const mayReopen = (...past: readonly Candidate[]) =>
    checkLegality(new History(created, started, ...past).state, reopened).legal;

  it('can be begun anew though it is completed, as no other can', () => {
    expect(mayReopen(...done, committed)).toBe(false);
    expect(mayReopen(...done, committed, lost)).toBe(true);
    const { task, sprint } = taskAfter(...done, committed, lost, reopened);
    expect(task).toMatchObject({ commit: undefined, isLost: undefined });
    expect(readyTasks(sprint).map(({ id }) => id)).toEqual(['a']);
  });

  it('is no longer lost once it is done again', () => {
    const again = { attempt: 2, runId: 'run-2' };
    const doneAgain = [on('demo/a', 'task.started', again), on('demo/a', 'task.completed', again)];
    expect(mayReopen(...done, lost, reopened, ...doneAgain)).toBe(false);
    expect(mayReopen(lost, ...done)).toBe(false);
  });

  it('has neither commit nor worktree nor offer', () => {
    const claimed = on('demo/a', 'worktree.claimed');
    const { task } = taskAfter(made, taken('w'), claimed, ...done, ended('w', 'sha'), lost);
    expect(task).toMatchObject({ commit: undefined, worktree: undefined, offer: undefined });
    expect(mergeOf(task)).toBeUndefined();
  });
});

describe('an offered task', () => {
  it('is elsewhere from the offer until it is ended or withdrawn', () => {
    const at = (...past: readonly Candidate[]) => isElsewhere(taskAfter(...past).task);
    expect(at()).toBe(false);
    expect(at(made)).toBe(true);
    expect(at(made, taken('w'))).toBe(true);
    expect(at(made, taken('w'), ended('w'))).toBe(false);
    const withdrawn = on('demo/a', 'offer.withdrawn', { worker: 'owner', reason: 'room' });
    expect(at(made, withdrawn)).toBe(false);
  });

  it('is whose who took it last; what others say of it counts for nothing', () => {
    const late = on('demo/a', 'offer.returned', { worker: 'one', reason: 'SIGTERM' });
    const { task } = taskAfter(made, taken('one'), taken('two'), late);
    expect(task.offer).toMatchObject({ phase: 'taken', worker: 'two', branch: 'of-two', losses: 1 });
    expect(task.takes).toBe(2);
    expect(taskAfter(made, taken('one'), taken('two'), ended('one', 'sha')).task.offer?.phase).toBe('taken');
  });

  it('counts no loss once a worker has handed it over', () => {
    const returned = on('demo/a', 'offer.returned', { worker: 'two', reason: 'SIGTERM' });
    const { offer, takes } = taskAfter(made, taken('one'), taken('two'), returned, taken('three')).task;
    expect(offer).toMatchObject({ phase: 'taken', losses: 0 });
    expect(takes).toBe(3);
  });

  it('counts who took it over all of its offers: the branch of one is never that of another', () => {
    const withdrawn = on('demo/a', 'offer.withdrawn', { worker: 'owner', reason: 'room' });
    const back = on('demo/a', 'offer.returned', { worker: 'one', reason: 'SIGTERM' });
    expect(taskAfter(made, taken('one'), back, withdrawn, made).task.takes).toBe(1);
    const refused = [
      ended('one'),
      on('demo', 'job.taken', { worker: 'o' }),
      on('demo', 'job.ended', { worker: 'o' }),
    ];
    expect(taskAfter(made, taken('one'), ...refused, made, taken('two')).task.takes).toBe(2);
  });

  it('knows the machines in a row that could not get its files, each once, until one could', () => {
    const unfit = (worker: string) => [
      taken(worker),
      on('demo/a', 'offer.returned', { worker, reason: 'disk', unfit: true }),
    ];
    const past = [made, taken('lost'), ...unfit('one/1'), ...unfit('two/1'), ...unfit('one/2')];
    expect(taskAfter(...past).task.offer).toMatchObject({
      losses: 1,
      unfit: { machines: ['one', 'two'], times: 3 },
    });
    const drained = on('demo/a', 'offer.returned', { worker: 'three', reason: 'SIGTERM', unfit: undefined });
    expect(taskAfter(...past, taken('three'), drained).task.offer?.unfit).toBeUndefined();
    const begun = on('demo/a', 'task.started');
    expect(taskAfter(...past, taken('three'), begun).task.offer?.unfit).toBeUndefined();
  });

  it('is under way, and keeps others waiting, from its completion until its commit is merged', () => {
    const before = taskAfter(made, taken('w'), ...done);
    expect(mergeOf(before.task)).toBe('due');
    expect(readyTasks(before.sprint)).toEqual([]);
    const pushed = taskAfter(made, taken('w'), ...done, ended('w', 'sha'));
    expect(mergeOf(pushed.task)).toBe('due');
    expect(pushed.sprint.tally.active).toBe(1);
    const claimed = on('demo/a', 'worktree.claimed', {
      path: '../w',
      branch: 'x',
      into: 'main',
      base: 'base',
      slot: 1,
    });
    const merged = on('demo/a', 'worktree.merged', { sha: 'merge', into: 'main' });
    const removed = on('demo/a', 'worktree.removed', { path: '../w', branch: 'x' });
    const after = taskAfter(made, taken('w'), ...done, ended('w', 'sha'), claimed, merged, removed);
    expect(mergeOf(after.task)).toBeUndefined();
    expect(readyTasks(after.sprint).map(({ id }) => id)).toEqual(['b']);
  });

  it('waits for a human where its commit cannot be brought into a worktree, until that is settled', () => {
    const pushed = [made, taken('w'), ...done, ended('w', 'sha')];
    const stuck = on('demo/a', 'worktree.stuck', { requestId: 'q-1', why: 'landing', reason: 'no branch' });
    const { task, sprint } = taskAfter(...pushed, stuck);
    expect(stuckOf(task)).toEqual({ requestId: 'q-1', why: 'landing', reason: 'no branch' });
    expect(sprint.tally.blocked).toBe(1);
    const settled = taskAfter(...pushed, stuck, on('demo/a', 'worktree.settled', { how: 'again' }));
    expect([mergeOf(settled.task), stuckOf(settled.task)]).toEqual(['due', undefined]);
    const claimed = on('demo/a', 'worktree.claimed');
    const inWorktree = taskAfter(...pushed, claimed, stuck, on('demo/a', 'worktree.merged'));
    expect(inWorktree.task.offer?.stuck).toBeUndefined();
  });

  it('is over at once where it has no commit', () => {
    const { task, sprint } = taskAfter(made, taken('w'), ...done, ended('w'));
    expect(mergeOf(task)).toBeUndefined();
    expect(readyTasks(sprint).map(({ id }) => id)).toEqual(['b']);
  });

  it('is forgotten when the task is begun again here', () => {
    const reopened = on('demo/a', 'task.reopened', { by: 'clifford', reason: 'conflict' });
    expect(taskAfter(made, taken('w'), ...done, ended('w', 'sha'), reopened).task.offer).toBeUndefined();
    // By the worker that has it, since what another one made is lost.
    expect(taskAfter(made, taken('w'), ...done, reopened).task.offer?.phase).toBe('taken');
  });
});
