import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EarlierAppend } from '../../../src/events/jsonl/earlier-append.ts';
import { MAX_LINE_BYTES } from '../../../src/events/line/line-codec.ts';
import { prepareEvents } from '../../../src/events/line/prepare-event.ts';
import { numbered, reasonsIn, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

const LONG = 'x'.repeat(10_000);

it('an append tried again is found however far back it is, and what is not there is written', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const [events, others] = [numbered('s', 3), numbered('s', 2, 3)];
  const stored = await log.append('s', events, { expectedVersion: 0 });
  for (let n = 0; n < 60; n += 1) await log.append('t', [skipped('t', LONG)], { expectedVersion: n });

  const again = await openTestLog(path);
  const retried = await Promise.all([
    again.append('s', events, { expectedVersion: 0, isRetry: true }),
    again.append('s', others, { expectedVersion: 3, isRetry: true }),
    log.append('s', others, { expectedVersion: 3, isRetry: true }),
  ]);
  expect(retried[0]).toEqual(stored);
  expect(retried[1]?.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
  expect(retried[2]).toEqual(retried[1]);
  expect((await reasonsIn(log)).filter((reason) => reason !== LONG)).toEqual(['0', '1', '2', '3', '4']);
});

it('the ids of an append in what another event says are not the append', async () => {
  const log = await openTestLog(await tempLogPath());
  const events = numbered('s', 2);
  const ids = events.map(({ id }) => `"id":"${id}"`).join();
  await log.append('s', [skipped('s', ids)], { expectedVersion: 0 });
  expect(await log.append('s', events, { expectedVersion: 1, isRetry: true })).toHaveLength(2);
  expect(await reasonsIn(log)).toEqual([ids, '0', '1']);
});

it('what is tried again is refused where its line is damaged, and other streams go on', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const events = numbered('s', 1);
  await log.append('s', events, { expectedVersion: 0 });
  await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
  await writeFile(path, (await readFile(path, 'utf8')).replace('"task.skipped"', '"task.skipped!'));
  const [damaged, other] = await Promise.allSettled([
    log.append('s', events, { expectedVersion: 'any', isRetry: true }),
    log.append('t', numbered('t', 1), { expectedVersion: 'any' }),
  ]);
  expect(damaged).toMatchObject({ status: 'rejected', reason: { code: 'LOG_CORRUPT', line: 1 } });
  expect(other.status).toBe('fulfilled');
});

it('nothing behind the last event of an append that is tried again is read', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const events = numbered('s', 2);
  const stored = await log.append('s', events, { expectedVersion: 0 });
  // Whoever comes to it finds that the log is damaged.
  await appendFile(path, `${'x'.repeat(3 * MAX_LINE_BYTES)}\n`);
  const file = await open(path);
  try {
    const earlier = new EarlierAppend(path, 's', prepareEvents('s', events));
    await earlier.catchUp(file.fd);
    expect(earlier.at(file.fd, (await file.stat()).size)).toEqual(stored);
  } finally {
    await file.close();
  }
});
