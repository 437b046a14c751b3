import { describe, expect, it } from 'vitest';
import { History, on } from '../helpers/history.ts';

const created = on('demo', 'sprint.created');
const taken = (worker: string) => on('demo', 'job.taken', { worker });

describe('the worker that has a sprint', () => {
  it('is the last one that took it', () => {
    expect(new History(created, taken('one'), taken('two')).sprint().job).toMatchObject({ worker: 'two' });
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
