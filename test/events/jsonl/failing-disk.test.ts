import { writeSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { kernelIo as createKernelIo } from '../../../src/events/jsonl/log-io.ts';
import type { LogIo } from '../../../src/events/jsonl/log-io.ts';
import { numbered, reasonsIn, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

const kernelIo = createKernelIo();

class DiskError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`${code}: injected`);
    this.code = code;
  }
}

/** What the second write or sync does. The first appends to a log that works. */
const faults: [string, (failing: () => boolean) => LogIo][] = [
  [
    'a write without space',
    (failing) => ({
      ...kernelIo,
      write: (fd, bytes) => {
        if (failing()) throw new DiskError('ENOSPC');
        return kernelIo.write(fd, bytes);
      },
    }),
  ],
  [
    'a short write inside the first line',
    (failing) => ({
      ...kernelIo,
      write: (fd, bytes) => (failing() ? writeSync(fd, bytes.subarray(0, 20)) : kernelIo.write(fd, bytes)),
    }),
  ],
  [
    'a write that fails after some bytes',
    (failing) => ({
      ...kernelIo,
      write: (fd, bytes) => {
        if (!failing()) return kernelIo.write(fd, bytes);
        writeSync(fd, bytes.subarray(0, 20));
        throw new DiskError('EIO');
      },
    }),
  ],
  [
    'a sync',
    (failing) => ({
      ...kernelIo,
      sync: async (fd) => {
        if (failing()) throw new DiskError('EIO');
        await kernelIo.sync(fd);
      },
    }),
  ],
];

describe('a disk that fails', () => {
  it.each(faults)('%s: poisons the handle and loses nothing acknowledged', async (_, makeIo) => {
    const path = await tempLogPath();
    let isFailing = false;
    const log = await openTestLog(path, { io: makeIo(() => isFailing) });
    await log.append('s', numbered('s', 2), { expectedVersion: 0 });

    isFailing = true;
    const failed = await Promise.allSettled([
      log.append('s', [skipped('s', 'x')], { expectedVersion: 2 }),
      log.append('t', [skipped('t', 'y')], { expectedVersion: 0 }),
    ]);
    isFailing = false;
    const later = await Promise.allSettled([
      log.append('s', [skipped('s', 'z')], { expectedVersion: 'any' }),
    ]);
    for (const outcome of [...failed, ...later]) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'LOG_POISONED', recovery: 'reopen' },
      });
    }
    expect(failed[0]).toMatchObject({
      reason: { message: expect.stringContaining(`Cannot append to ${path}: a write or sync failed: `) },
    });

    // Nobody knows whether what was written before a failed sync is there; what was acknowledged is.
    const reopened = await openTestLog(path);
    expect((await reasonsIn(reopened)).slice(0, 2)).toEqual(['0', '1']);
    expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true);
    await reopened.append('s', [skipped('s', 'again')], { expectedVersion: 'any' });
    expect((await reasonsIn(reopened)).at(-1)).toBe('again');
  });

  it('rejects what waits for the next group too', async () => {
    const path = await tempLogPath();
    const failed = Promise.withResolvers<void>();
    const syncs = [failed.promise];
    const log = await openTestLog(path, {
      io: { ...kernelIo, sync: (fd) => syncs.shift() ?? kernelIo.sync(fd) },
    });
    const first = log.append('s', [skipped('s', 'a')], { expectedVersion: 'any' });
    // Once the first group is being synced, the second append can only be in the next.
    const started = new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    await started;
    const second = log.append('s', [skipped('s', 'b')], { expectedVersion: 'any' });
    failed.reject(new DiskError('EIO'));
    await expect(first).rejects.toMatchObject({ code: 'LOG_POISONED', cause: { code: 'EIO' } });
    await expect(second).rejects.toMatchObject({ code: 'LOG_POISONED', cause: { code: 'EIO' } });
    expect(await reasonsIn(await openTestLog(path))).not.toContain('b');
  });

  it('writes all events of an append or none: a short write is cut back to where it began', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path, {
      io: { ...kernelIo, write: (fd, bytes) => writeSync(fd, bytes.subarray(0, bytes.length - 5)) },
    });
    await expect(log.append('s', numbered('s', 3), { expectedVersion: 0 })).rejects.toMatchObject({
      code: 'LOG_POISONED',
    });
    expect((await stat(path)).size).toBe(0);
    const reopened = await openTestLog(path);
    expect(await reopened.append('s', numbered('s', 3), { expectedVersion: 0 })).toHaveLength(3);
  });

  it('writes what a short write left, or says why it cannot', async () => {
    const path = await tempLogPath();
    let writes = 0;
    const shortFirst = (rest: (fd: number, bytes: Uint8Array) => number): LogIo => ({
      ...kernelIo,
      write: (fd, bytes) => {
        writes += 1;
        return writes === 1 ? writeSync(fd, bytes.subarray(0, 20)) : rest(fd, bytes);
      },
    });
    const full = await openTestLog(path, {
      io: shortFirst(() => {
        throw new DiskError('ENOSPC');
      }),
    });
    await expect(full.append('s', numbered('s', 3), { expectedVersion: 0 })).rejects.toMatchObject({
      code: 'LOG_POISONED',
      cause: { code: 'ENOSPC' },
      fix: 'Free disk space or repair the disk, then try again',
    });
    expect((await stat(path)).size).toBe(0);
    writes = 0;
    const slow = await openTestLog(path, {
      io: shortFirst((fd, bytes) => kernelIo.write(fd, Buffer.from(bytes))),
    });
    expect(await slow.append('s', numbered('s', 3), { expectedVersion: 0 })).toHaveLength(3);
    expect(await reasonsIn(await openTestLog(path))).toEqual(['0', '1', '2']);
  });

  it('keeps the whole appends of a short write: a reader may have seen them', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path, {
      io: { ...kernelIo, write: (fd, bytes) => writeSync(fd, bytes.subarray(0, bytes.length - 5)) },
    });
    const outcomes = await Promise.allSettled([
      log.append('s', numbered('s', 2), { expectedVersion: 0 }),
      log.append('t', numbered('t', 2, 2), { expectedVersion: 0 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reasonsIn(await openTestLog(path))).toEqual(['0', '1']);
    expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true);
  });
});
