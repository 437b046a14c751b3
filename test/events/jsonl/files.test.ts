import { execFileSync } from 'node:child_process';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { newEvent } from '../../../src/events/envelope.ts';
import type { Checkpoint, EventBatch, EventLog } from '../../../src/events/log/event-log.ts';
import { MAX_LINE_BYTES } from '../../../src/events/line/line-codec.ts';
import { collect, numbered, reasonOf, reasonsIn } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('opening, reading and asking for a head make no file', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  expect(await reasonsIn(log)).toEqual([]);
  expect(await log.head('s')).toBe(0);
  await expect(access(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('the file and its folder are for the owner only', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  expect(await modeOf(path)).toBe(0o600);
  expect(await modeOf(dirname(path))).toBe(0o700);
});

it.each([0o644, 0o601])('a file of mode %o is closed to others by the first append', async (mode) => {
  const path = await tempLogPath();
  await mkdir(dirname(path));
  await writeFile(path, '');
  await chmod(path, mode);
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  expect(await modeOf(path)).toBe(0o600);
});

it('a log that cannot be opened is a known error with the reason', async () => {
  const path = await tempLogPath();
  // A file stands where its folder would be.
  await writeFile(dirname(path), '');
  const log = await openTestLog(path);
  const refused = log.append('s', numbered('s', 1), { expectedVersion: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'LOG_INACCESSIBLE', recovery: 'fix-input' });
  await expect(refused).rejects.toThrow(`Cannot open ${path}: EEXIST`);
});

it('an append goes to the file that has the name now', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 2), { expectedVersion: 0 });
  await copyFile(path, `${path}.copy`);
  await rename(path, `${path}.old`);
  await rename(`${path}.copy`, path);

  await log.append('s', numbered('s', 1, 2), { expectedVersion: 2 });
  expect(await reasonsIn(log)).toEqual(['0', '1', '2']);
  expect(await reasonsIn(await openTestLog(`${path}.old`))).toEqual(['0', '1']);
});

it('a log that was removed is begun anew, but not by who has written to the old one', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const idle = await openTestLog(path);
  await log.append('s', numbered('s', 2), { expectedVersion: 0 });
  await rm(dirname(path), { recursive: true });
  const late = () => log.append('s', numbered('s', 1, 2), { expectedVersion: 'any' });
  await expect(late()).rejects.toMatchObject({ code: 'LOG_REPLACED', recovery: 'reopen' });
  await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });

  await idle.append('s', numbered('s', 1, 7), { expectedVersion: 0 });
  await expect(late()).rejects.toMatchObject({ code: 'LOG_REPLACED' });
  expect(await reasonsIn(log)).toEqual(['7']);
});

it.each<[string, (log: EventLog) => Promise<unknown>]>([
  ['read', (log) => collect(log.read())],
  ['followed', (log) => log.follow({ signal: new AbortController().signal })[Symbol.asyncIterator]().next()],
])('who has %s a log does not write to another one in its place', async (_, look) => {
  const path = await tempLogPath();
  const other = await tempLogPath();
  for (const each of [path, other])
    await (await openTestLog(each)).append('s', numbered('s', 2), { expectedVersion: 0 });
  const log = await openTestLog(path);
  await look(log);
  await rename(other, path);
  const bytes = await readFile(path);
  const late = log.append('s', numbered('s', 1, 2), { expectedVersion: 2 });
  await expect(late).rejects.toThrow(
    'a different line comes before it; the log is another one than was read before',
  );
  expect(await readFile(path)).toEqual(bytes);
});

it('a stream that nobody asked for yet is found however far back it lies', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('old', numbered('old', 2), { expectedVersion: 0 });
  for (let n = 0; n < 5; n += 1)
    await log.append('busy', numbered('busy', 1_000), { expectedVersion: 'any' });
  // Further back than one search window, so that it is looked for without the lock.
  expect((await stat(path)).size).toBeGreaterThan(1_000_000);

  const reopened = await openTestLog(path);
  await reopened.append('old', numbered('old', 1, 2), { expectedVersion: 2 });
  expect((await collect(reopened.read({ stream: 'old' }))).map(reasonOf)).toEqual(['0', '1', '2']);
  expect(await reopened.head('busy')).toBe(5_000);
});

it('a stream is found behind and in lines that are longer than a search window', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const report = newEvent('/clifford/mcp', {
    type: 'uat.reported',
    subject: 'long/task-1',
    data: { title: 't', changes: '', steps: Array.from({ length: 12 }, () => 'x'.repeat(60_000)) },
  });
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  await log.append('long', [report, report], { expectedVersion: 0 });

  const reopened = await openTestLog(path);
  await reopened.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
  await reopened.append('long', [report], { expectedVersion: 2 });
  expect(await collect(reopened.read())).toHaveLength(5);
});

it('what is known of a log that was cut counts no more, for any stream', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  const { size } = await stat(path);
  await (await openTestLog(path)).append('t', numbered('t', 1), { expectedVersion: 0 });
  const tooLate = log.append('t', numbered('t', 1), { expectedVersion: 0 });
  await expect(tooLate).rejects.toThrow('expected version 0, it is at 1');
  await truncate(path, size);
  // By now the file is longer again than when t was last looked for.
  await log.append('s', numbered('s', 5, 1), { expectedVersion: 1 });
  await log.append('t', numbered('t', 1), { expectedVersion: 0 });
  expect(await collect(log.read())).toHaveLength(7);
});

it('a log that is cut while it is read ends there', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  for (let n = 0; n < 3; n += 1) await log.append('s', numbered('s', 1_000), { expectedVersion: 'any' });
  expect((await stat(path)).size).toBeGreaterThan(3 * 262_144);
  let read = 0;
  for await (const { events } of log.read()) {
    if (read === 0) await truncate(path);
    read += events.length;
  }
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(3_000);
});

it('an event whose line no reader would take is not written', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  const steps = Array.from({ length: 70 }, () => 'x'.repeat(65_536));
  const report = newEvent('/clifford/mcp', {
    type: 'uat.reported',
    subject: 's/task-1',
    data: { title: 't', changes: '', steps },
  });
  const refused = log.append('s', [report], { expectedVersion: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'EVENT_INVALID' });
  await expect(refused).rejects.toThrow(`its line is longer than ${MAX_LINE_BYTES} bytes`);
  await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('reading up to a version does not read the rest of the log', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1_000), { expectedVersion: 0 });
  await writeFile(path, 'damaged\n', { flag: 'a' });
  expect((await collect(log.read({ stream: 's', toVersion: 2 }))).map(reasonOf)).toEqual(['0', '1']);
});

it('a checkpoint is stale when the file does not reach so far, or the line before it is another', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 3), { expectedVersion: 0 });
  const checkpoints: Checkpoint[] = [];
  for await (const batch of log.read()) checkpoints.push(batch.checkpoint());
  const [checkpoint] = checkpoints;
  if (!checkpoint) throw new Error('Nothing was read');
  const { size } = await stat(path);
  const at = (position: number) => ({
    ...checkpoint,
    token: checkpoint.token.replace(/^\d+/, `${position}`),
  });
  const reading = (after: Checkpoint) => collect(log.read({ after }));

  expect(await reading(checkpoint)).toEqual([]);
  expect(await reading(at(size))).toEqual([]);
  await expect(reading(at(size + 1))).rejects.toThrow(`the file ends at byte ${size}`);
  await expect(reading(at(size - 1))).rejects.toThrow('no line ends there');
  await expect(reading({ ...checkpoint, token: `${size}:x` })).rejects.toThrow(
    'a different line comes before it',
  );
  await expect(reading({ ...checkpoint, token: 'x' })).rejects.toMatchObject({ code: 'CHECKPOINT_STALE' });
  await rm(path);
  await expect(reading(checkpoint)).rejects.toThrow('the file is missing');
  await expect(reading(checkpoint)).rejects.toMatchObject({ code: 'CHECKPOINT_STALE', recovery: 'retry' });
});

it('an old batch refuses to pass off the present place as its own', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  for (let n = 0; n < 3; n += 1) await log.append('s', numbered('s', 500), { expectedVersion: 'any' });
  const batches: EventBatch[] = [];
  for await (const batch of log.read()) batches.push(batch);
  expect(batches.length).toBeGreaterThan(1);
  expect(() => batches[0]?.checkpoint()).toThrow('after the next one was read');
  expect(batches.at(-1)?.checkpoint().events).toBe(1_500);
});

it.each<[string, string, (path: string) => unknown]>([
  ['a named pipe', 'it is a named pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', 'it is a folder', (path) => mkdir(path)],
  ['a link to a device', 'it is a device', (path) => symlink('/dev/zero', path)],
])('%s in place of the log is refused at once, by readers and writers', async (_, reason, make) => {
  const path = await tempLogPath();
  await mkdir(dirname(path));
  await make(path);
  const log = await openTestLog(path);
  const uses = [
    collect(log.read()),
    collect(log.follow({ signal: new AbortController().signal })),
    log.head('s'),
    log.append('s', numbered('s', 1), { expectedVersion: 0 }),
  ];
  for (const use of await Promise.allSettled(uses)) {
    expect(use).toMatchObject({
      status: 'rejected',
      reason: {
        message: `Cannot open ${path}: ${reason}`,
        code: 'LOG_INACCESSIBLE',
        recovery: 'fix-input',
        fix: 'Move away what is there, and bring the log back if there was one',
      },
    });
  }
});

it('files beside the log do not concern it', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  await writeFile(join(dirname(path), 'events.jsonl.old'), 'damaged\n');
  expect(await reasonsIn(log)).toEqual(['0']);
});
