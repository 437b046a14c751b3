import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { collect, skipped } from '../sample-events.ts';
import { linesOf, openTestLog, tempLogPath } from './temp-log.ts';

/**
 * One line of every type as version 1 of each wrote it, and of some one more with fields that came later. Never made again: it
 * stands for logs in the field.
 */
const fixture = fileURLToPath(new URL('../../fixtures/events/events-v1.jsonl', import.meta.url));

it('a log of the first version, with every event type in it, still reads', async () => {
  const events = await collect((await openTestLog(fixture)).read());
  const types = new Set(events.map(({ type }) => type));
  expect([...types].toSorted()).toEqual(Object.keys(eventCatalog).toSorted());
  expect(events).toHaveLength((await linesOf(fixture)).length);
});

it('and can be appended to', async () => {
  const path = await tempLogPath();
  await mkdir(dirname(path));
  await copyFile(fixture, path);
  const log = await openTestLog(path);
  const before = await log.head('sprint-1');
  await log.append('sprint-1', [skipped('sprint-1', 'new')], { expectedVersion: before });
  expect(await collect(log.read())).toHaveLength((await linesOf(fixture)).length + 1);
  expect((await readFile(path)).subarray(0, (await readFile(fixture)).length)).toEqual(
    await readFile(fixture),
  );
});

it('is spelled as lines are spelled today', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const [line = ''] = await linesOf(fixture);
  const { id, source, type, subject, time, data } = JSON.parse(line);
  await log.append('sprint-1', [{ id, source, type, subject, time, data }], { expectedVersion: 0 });
  expect(await linesOf(path)).toEqual([line]);
});

it('old data is brought to the current version while it is read, and the file stays as it is', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', [skipped('s', 'old')], { expectedVersion: 0 });
  const bytes = await readFile(path);
  const upcasters = { 'task.skipped': [(data: unknown) => ({ ...(data as object), reason: 'upcast' })] };
  const [event] = await collect((await openTestLog(path, { upcasters })).read());
  expect(event).toMatchObject({ schemaversion: 2, data: { by: 'ann', reason: 'upcast' } });
  expect(await readFile(path)).toEqual(bytes);
});
