import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { FolderWatch } from '../../../src/lib/files/folder-watch.ts';
import { FileChanges } from '../../../src/events/jsonl/file-changes.ts';
import { StreamHeads } from '../../../src/events/jsonl/stream-heads.ts';
import { numbered, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a change while nobody waits is not lost: the next wait is over at once', async () => {
  const path = await tempLogPath();
  mkdirSync(dirname(path));
  // Only notifications wake it.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const changes = new FileChanges(path);
  const notified = Promise.withResolvers<void>();
  const watch = new FolderWatch(dirname(path), {
    onChange: () => notified.resolve(),
    onLook: () => undefined,
  });
  onTestFinished(() => watch.close());
  onTestFinished(() => changes.close());
  await writeFile(path, 'x');
  await notified.promise;
  await nextTurn();
  expect(await changes.next()).toBe(true);
});

it('a head that was found without the lock, in lines that are gone by now, counts no more', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  const { size } = await stat(path);
  const fd = openSync(path, 'r+');
  onTestFinished(() => closeSync(fd));
  const heads = new StreamHeads(path);
  expect(heads.look(fd, size)).toBe(size);
  await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
  expect(await heads.catchUp(fd, 's')).toMatchObject({ version: 2 });
  ftruncateSync(fd, size);
  expect(heads.look(fd, size)).toBe(size);
  expect(heads.at(fd, 's', size)).toMatchObject({ version: 1 });
});

it('a long search for the head of a stream lets everything else go on', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const long = Array.from({ length: 20 }, () => skipped('other', 'x'.repeat(60_000)));
  await log.append('other', long, { expectedVersion: 0 });
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  let isOver = false;
  const search = new StreamHeads(path).catchUp(fd, 's').finally(() => {
    isOver = true;
  });
  await nextTurn();
  expect(isOver).toBe(false);
  expect(await search).toMatchObject({ version: 0 });
});

it('a read that is given up is over only when the system reads no more: the file may be closed then', async () => {
  const log = await openTestLog(await tempLogPath());
  const long = Array.from({ length: 20 }, () => skipped('s', 'x'.repeat(60_000)));
  await log.append('s', long, { expectedVersion: 0 });
  const underWay = () => process.getActiveResourcesInfo().filter((name) => name === 'FSReqCallback').length;
  const before = underWay();
  const reading = log.read()[Symbol.asyncIterator]();
  expect((await reading.next()).done).toBe(false);
  expect(underWay()).toBeGreaterThan(before);
  await reading.return?.();
  expect(underWay()).toBe(before);
});
