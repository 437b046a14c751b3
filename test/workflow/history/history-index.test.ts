import { describe, expect, it } from 'vitest';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import { History, on } from '../../helpers/history.ts';

const { events } = new History(
  on('demo', 'sprint.created'),
  on('demo', 'sprint.started'),
  on('demo/a', 'task.started'),
  on('demo/a', 'agent.started'),
  on('demo/a', 'help.requested', { requestId: 'q-1' }),
  on('demo/a', 'help.answered', { requestId: 'q-1' }),
  on('demo/a', 'help.delivered', { requestId: 'q-1' }),
  on('demo/a', 'task.retried', { attempt: 2 }),
);

const start = 1_800_000_000_000;

function indexOf(seconds: readonly number[]): HistoryIndex {
  const index = new HistoryIndex();
  for (const [n, event] of events.entries())
    index.add({ ...event, time: new Date(start + (seconds[n] ?? n) * 1_000).toISOString() });
  return index;
}

describe('what is known of every event of a stream', () => {
  it('says when it happened, and which was the last until a time', () => {
    const index = indexOf([0, 1, 2, 3, 10, 20, 20, 30]);
    expect(index.length).toBe(8);
    expect(index.timeOf(5)).toBe(start + 10_000);
    expect([-1, 0, 9_999, 10_000, 20_000, 99_000].map((ms) => index.versionAt(start + ms))).toEqual([
      0, 1, 4, 5, 7, 8,
    ]);
  });

  it('ends a time before the first event that is later, also where the clock was set back', () => {
    const index = indexOf([0, 1, 8, 3, 4, 5, 9, 10]);
    expect([...index.times].map((ms) => (ms - start) / 1_000)).toEqual([0, 1, 8, 8, 8, 8, 9, 10]);
    expect(index.versionAt(start + 5_000)).toBe(2);
    expect(index.versionAt(start + 8_000)).toBe(6);
  });

  it('goes from one that stands out to the next, and back', () => {
    const index = indexOf([]);
    expect(index.markAt(4)).toBeUndefined();
    expect(index.markAt(5)).toBe('question');
    expect([3, 4, 6, 8].map((version) => index.nextMark(version, 1))).toEqual([5, 5, 8, undefined]);
    expect([8, 5, 1].map((version) => index.nextMark(version, -1))).toEqual([6, 3, undefined]);
    expect(index.nextMark(8, -1, new Set(['sprint', 'attempt'] as const))).toBe(3);
  });

  it('names the loudest of a part', () => {
    const index = indexOf([]);
    expect([
      index.loudestIn(1, 8),
      index.loudestIn(1, 6),
      index.loudestIn(6, 7),
      index.loudestIn(4, 4),
    ]).toEqual(['failure', 'question', 'answer', undefined]);
    expect(index.loudestIn(-5, 2)).toBe('sprint');
    expect(index.loudestIn(8, 99)).toBe('failure');
  });

  it('grows', () => {
    const index = new HistoryIndex();
    const [event] = events;
    for (let n = 0; n < 5_000; n += 1) if (event) index.add(event);
    expect([index.length, index.times.length, index.markAt(5_000)]).toEqual([5_000, 5_000, 'sprint']);
  });
});
