import { expect, it } from 'vitest';
import type { Bookmark } from '../../../src/events/log/event-log.ts';
import { numbered, reasonOf } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

it('tells of long parts of the file in which nothing is selected, and goes on after them', async () => {
  const log = await openTestLog(await tempLogPath());
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  for (let n = 0; n < 3; n += 1)
    await log.append('other', numbered('other', 1_000), { expectedVersion: 'any' });
  await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
  const batches: { reasons: unknown[]; bookmark: Bookmark }[] = [];
  for await (const { events, bookmark } of log.select({ stream: 's' }))
    batches.push({ reasons: events.map(reasonOf), bookmark: bookmark() });
  const quiet = batches.filter(({ reasons }) => reasons.length === 0);
  // A line has about 300 bytes, and there is one for each 256 KB.
  expect(quiet.length).toBeGreaterThanOrEqual(3);
  expect(quiet.length).toBeLessThanOrEqual(6);
  expect(batches.flatMap(({ reasons }) => reasons)).toEqual(['0', '1']);
  for (const { bookmark } of quiet) {
    const rest: unknown[] = [];
    for await (const { events } of log.select({ stream: 's', after: bookmark }))
      rest.push(...events.map(reasonOf));
    expect(rest).toEqual(['1']);
  }
});

it('has the bookmark of a batch until the next one is read, and not after', async () => {
  const log = await openTestLog(await tempLogPath());
  await log.append('s', numbered('s', 200), { expectedVersion: 0 });
  const made: (() => Bookmark)[] = [];
  for await (const { bookmark } of log.select({ stream: 's' })) made.push(bookmark);
  expect(made.length).toBeGreaterThan(1);
  expect(made[0]).toThrow('after the next one was read');
  expect(made.at(-1)?.().heads['s']?.version).toBe(200);
});
