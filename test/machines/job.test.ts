import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { lostHolderOf } from '../../src/machines/lost-holder.ts';
import { unfitTexts } from '../../src/views/sprints/unfit-texts.ts';
import { fromSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import { countUnfit, whyNobody } from '../../src/machines/unfit.ts';
import { eventText } from '../../src/views/events/event-text.ts';
import { History, on } from '../helpers/history.ts';

const created = on('demo', 'sprint.created');
const taken = (worker: string) => on('demo', 'job.taken', { worker });

describe('the worker that has a sprint', () => {
  it('is the last one that took it', () => {
    expect(new History(created, taken('one'), taken('two')).sprint().job).toMatchObject({ worker: 'two' });
  });

  it('is told from the one of which nothing was heard before; of a task, from the one that had that', () => {
    const over = (worker: string, silent: string) =>
      on('demo', 'job.taken', { worker, after: { worker: silent, silentMs: 30_000 } });
    const took = (silent?: string) =>
      on('demo/a', 'offer.taken', {
        after: silent === undefined ? undefined : { worker: silent, silentMs: 1 },
      });
    const offered = [over('two', 'one'), on('demo', 'sprint.started'), on('demo/a', 'offer.made')];
    const heldBefore = (...past: readonly Candidate[]) =>
      lostHolderOf(new History(created, taken('one'), ...past).sprint(), 'a')?.worker;
    expect(heldBefore(over('two', 'one'))).toBe('one');
    expect(heldBefore(over('two', 'one'), taken('three'))).toBeUndefined();
    expect(heldBefore(...offered, took('four'))).toBe('four');
    expect(heldBefore(...offered, took('four'), took())).toBeUndefined();
    const { events } = new History(created, taken('one'), ...offered, took('four'));
    const taking = events.filter(({ type }) => type.endsWith('.taken'));
    expect(taking.map((event) => eventText(event, undefined))).toEqual([
      'by worker one',
      'by worker two, as nothing was heard of worker one for 30 s',
      'by worker build-2, on the branch clifford/sprint-1/task-1, as nothing was heard of worker four for 1 ms',
    ]);
  });

  it.each(['job.returned', 'job.ended'] as const)('is none after %s', (type) => {
    const left = on('demo', type, { worker: 'one' });
    expect(new History(created, taken('one'), left).sprint().job).toBeUndefined();
  });

  it('keeps it whatever one says that had it before', () => {
    const late = on('demo', 'job.returned', { worker: 'one' });
    expect(new History(created, taken('one'), taken('two'), late).sprint().job?.worker).toBe('two');
  });
});

describe('the workers that were lost with a sprint', () => {
  it('are those that took it one after the other without another word', () => {
    expect(new History(created, taken('one')).sprint().job?.losses).toBe(0);
    expect(new History(created, taken('one'), taken('two'), taken('three')).sprint().job?.losses).toBe(2);
  });

  it('count no more once one has handed it over, or a task was completed', () => {
    const returned = on('demo', 'job.returned', { worker: 'two' });
    expect(
      new History(created, taken('one'), taken('two'), returned, taken('three')).sprint().job?.losses,
    ).toBe(0);
    const completed = [
      on('demo', 'sprint.started'),
      on('demo/a', 'task.started'),
      on('demo/a', 'task.completed'),
    ];
    expect(new History(created, taken('one'), taken('two'), ...completed).sprint().job?.losses).toBe(0);
  });
});

describe('the machines that could not get the files of a sprint', () => {
  const unfit = (worker: string) => [
    taken(worker),
    on('demo', 'job.returned', { worker, reason: 'disk', unfit: true }),
  ];
  const full = [...unfit('one/1'), ...unfit('two/1'), ...unfit('one/2')];
  const after = (...past: readonly ReturnType<typeof on>[]) =>
    new History(created, ...full, ...past).sprint();

  it('count each once, however often it was, and when started anew', () => {
    expect(after().unfit).toEqual({ machines: ['one', 'two'], times: 3, reason: 'disk' });
  });

  it('are told apart by themselves, however their workers are called', () => {
    const workers = ['build-1/aaaa000001', 'build-2/aaaa000002', 'build-1/bbbb000001'];
    expect(new History(created, ...workers.flatMap(unfit)).sprint().unfit).toEqual({
      machines: ['aaaa', 'bbbb'],
      times: 3,
      reason: 'disk',
    });
  });

  it('count no more once one has had them, or an attempt has begun', () => {
    const drained = on('demo', 'job.returned', { worker: 'three', reason: 'SIGTERM', unfit: undefined });
    expect(after(taken('three'), drained).unfit).toBeUndefined();
    expect(
      after(taken('three'), on('demo', 'sprint.started'), on('demo/a', 'task.started')).unfit,
    ).toBeUndefined();
  });

  it('count no more once somebody has taken it out, and added it again', () => {
    const out = on('demo', 'job.cancelled', { by: 'ada' });
    expect(after(out).unfit).toBeDefined();
    expect(after(out, on('demo', 'job.added')).unfit).toBeUndefined();
    expect(after(on('demo', 'job.added')).unfit).toBeDefined();
  });

  it('are neither losses nor the end of them', () => {
    const lost = [taken('lost'), taken('lost too')];
    expect(after(...lost, ...unfit('three')).lossesBefore).toBe(2);
    expect(after(...lost, ...unfit('three'), taken('four')).job?.losses).toBe(2);
    expect(after(taken('four')).job?.losses).toBe(0);
  });

  it('count for nothing where nobody has agreed to its commands: they are named apart', () => {
    const untrusting = (worker: string) => [
      taken(worker),
      on('demo', 'job.returned', { worker, reason: 'ls is new', unfit: 'agreement' }),
    ];
    const workers = Array.from({ length: 30 }, (_, at) => `w${at}/1`);
    const { unfit: counted } = new History(
      created,
      ...unfit('one/1'),
      ...workers.flatMap(untrusting),
    ).sprint();
    expect(counted).toMatchObject({
      machines: ['one'],
      times: 1,
      reason: 'disk',
      untrusting: { reason: 'ls is new' },
    });
    expect(counted?.untrusting?.machines).toHaveLength(30);
    expect(counted && whyNobody(counted, 2)).toBeUndefined();
  });

  it('count for nothing where another machine has the work, which is there; nor do losses before that', () => {
    const left = (worker: string) => [
      taken(worker),
      on('demo', 'job.returned', { worker, reason: 'first has it', unfit: 'work' }),
    ];
    expect(after(...left('three/1'), ...left('four/1')).unfit).toEqual({
      machines: ['one', 'two'],
      times: 3,
      reason: 'disk',
      leftTo: 'first has it',
    });
    const leftAlone = new History(created, ...left('three/1')).sprint();
    expect(unfitTexts(leftAlone.unfit)).toEqual(['first has it']);
    expect(fromSnapshot(toSnapshot(leftAlone)).unfit).toEqual(leftAlone.unfit);
    const lost = [taken('lost'), taken('lost too')];
    expect(after(...lost, ...left('three/1')).lossesBefore).toBe(2);
  });

  it('say that nobody can when they are as many as may be lost, or were unfit ten times as often', () => {
    const of = (...workers: readonly string[]) =>
      workers.reduce<ReturnType<typeof countUnfit> | undefined>(
        (unfit, worker) => countUnfit(unfit, { worker, reason: 'disk', unfit: true }),
        undefined,
      );
    const lone = (times: number) => of(...Array.from({ length: times }, (_, n) => `one/${n}`));
    const said = (unfit: ReturnType<typeof of>) => unfit && whyNobody(unfit, 2);
    expect(said(of('one/1', 'two/1'))).toBe('2 machines in a row could not begin it, the last one: ');
    expect(said(lone(19))).toBeUndefined();
    expect(said(lone(20))).toBe('20 times in a row it could not be begun, the last time: ');
  });
});

describe('a completed sprint', () => {
  const returned = on('demo', 'job.returned', { worker: 'one', reason: 'SIGTERM', unfit: undefined });
  const done = ['sprint.started', 'sprint.completed'] as const;
  const task = [on('demo/a', 'task.started'), on('demo/a', 'task.completed')];
  const end = [on('demo', done[0]), ...task, on('demo', done[1])];

  it('may not be pushed as long as the worker that completed it has not said so', () => {
    expect(new History(created, taken('one'), ...end).sprint().isUnpushed).toBe(true);
    const over = on('demo', 'job.ended', { worker: 'one', outcome: 'over' });
    expect(new History(created, taken('one'), ...end, over).sprint().isUnpushed).toBeUndefined();
  });

  it('is with whoever completed it, after the workers that had it before', () => {
    expect(new History(created, taken('one'), returned, ...end).sprint().isUnpushed).toBeUndefined();
  });
});

describe('since when a sprint waits in the queue', () => {
  const added = on('demo', 'job.added', { by: 'ada' });
  const cancelled = on('demo', 'job.cancelled', { by: 'ada' });
  const returned = on('demo', 'job.returned', { worker: 'one' });
  const since = (...past: readonly Candidate[]) => {
    const { events, ...history } = new History(created, ...past);
    return events.findIndex(({ time }) => time === history.state.streams.get('demo')?.queuedAt);
  };

  it('is since it was added, or given back', () => {
    expect(since(added)).toBe(1);
    expect(since(added, taken('one'), returned)).toBe(3);
    expect(since(added, cancelled, added)).toBe(3);
    // Whatever becomes of the worker that it was taken from.
    expect(since(added, taken('one'), cancelled, added)).toBe(4);
    const unusable = on('demo', 'job.ended', { worker: 'one', outcome: 'unusable', reason: 'no such tag' });
    const again = [added, taken('one'), cancelled, added, unusable];
    expect(since(...again)).toBe(4);
    expect(new History(created, ...again).sprint().leftQueue).toBeUndefined();
  });

  it.each([
    ['a worker has it', [added, taken('one')]],
    ['a worker was faster than who says that it was added', [taken('one'), added]],
    ['a worker has it, whatever one says that had it before', [taken('one'), taken('two'), returned]],
    ['it was taken out', [added, cancelled]],
    ['it was taken out while its worker gave it back', [added, taken('one'), cancelled, returned]],
    ['its worker is done with it', [added, taken('one'), on('demo', 'job.ended', { worker: 'one' })]],
    ['it is over', [added, on('demo', 'sprint.cancelled')]],
  ])('is never once %s', (_, past) => {
    expect(since(...past)).toBe(-1);
  });
});

describe('why a sprint left the queue', () => {
  const left = on('demo', 'job.ended', { worker: 'one', outcome: 'unusable', reason: 'no such tag' });
  const cancelled = on('demo', 'sprint.cancelled');

  it('is what the worker said that took it out', () => {
    const { leftQueue } = new History(created, taken('one'), left).sprint();
    expect(leftQueue).toMatchObject({ worker: 'one', outcome: 'unusable', reason: 'no such tag' });
    expect(leftQueue?.at).toBeDefined();
  });

  it.each([
    ['a worker has it again', [taken('one'), left, taken('two')]],
    ['its run is over', [taken('one'), on('demo', 'job.ended', { worker: 'one', outcome: 'over' })]],
    ['it has ended elsewhere', [taken('one'), left, cancelled]],
  ])('is nothing once %s', (_, events) => {
    expect(new History(created, ...events).sprint().leftQueue).toBeUndefined();
  });
});
