import { describe, expect, it } from 'vitest';
import { FoundEvents, placeOf } from '../../../src/workflow/history/found-events.ts';
import { eventLog } from '../../helpers/stored-events.ts';

const { signal } = new AbortController();

/** A history of so many events, that can become longer. */
function historyOf(count: number) {
  const asked: number[] = [];
  let events = eventLog(
    'demo/a',
    ...Array.from({ length: count }, () => ['task.noted'] as const).map(([type]) => [type] as [typeof type]),
  );
  const grow = (by: number) => {
    events = historyOf(events.length + by).events();
  };
  return {
    asked,
    grow,
    events: () => events,
    cursor: {
      get length() {
        return events.length;
      },
      events: (from: number, to: number) => {
        asked.push(from);
        return Promise.resolve(events.slice(from - 1, to));
      },
    },
  };
}

describe('events that are found', () => {
  it('are all that the test is true of, each looked at once, also where it is asked twice', async () => {
    const { cursor, asked, grow } = historyOf(2_500);
    const found = new FoundEvents(cursor, ({ streamversion }) => streamversion % 1_000 === 0);
    await Promise.all([found.readOn(signal), found.readOn(signal)]);
    expect(found.versions).toEqual([1_000, 2_000]);
    const before = found.versions;
    grow(500);
    await found.readOn(signal);
    expect([found.versions, before]).toEqual([
      [1_000, 2_000, 3_000],
      [1_000, 2_000],
    ]);
    expect(asked).toEqual([1, 1_025, 2_049, 2_501]);
  });

  it('stay found where the log cannot be read further, until it can', async () => {
    const { cursor } = historyOf(2_500);
    let isBroken = true;
    const events = (from: number, to: number) =>
      isBroken && from > 2_000 ? Promise.reject(new Error('no disk')) : cursor.events(from, to);
    const found = new FoundEvents(
      { length: cursor.length, events },
      ({ streamversion }) => streamversion % 1_000 === 0 || streamversion === 2_500,
    );
    await expect(found.readOn(signal)).rejects.toThrow('no disk');
    isBroken = false;
    await found.readOn(signal);
    expect(found.versions).toEqual([1_000, 2_000, 2_500]);
  });

  it('have a next one and one before', async () => {
    const found = new FoundEvents(historyOf(30).cursor, ({ streamversion }) => streamversion % 10 === 0);
    await found.readOn(signal);
    const next = (step: 1 | -1) => [1, 10, 11, 30].map((version) => found.next(version, step));
    expect(next(1)).toEqual([10, 20, 20, undefined]);
    expect(next(-1)).toEqual([undefined, undefined, 10, 20]);
    expect([1, 10, 11, 99].map((version) => placeOf(found.versions, version))).toEqual([0, 0, 1, 3]);
  });

  it('are no longer looked for where that is not wanted', async () => {
    const over = new AbortController();
    const found = new FoundEvents(historyOf(10).cursor, () => true);
    const reading = found.readOn(over.signal);
    over.abort();
    await expect(reading).rejects.toThrow(/abort/);
    expect(found.versions).toEqual([]);
  });
});
