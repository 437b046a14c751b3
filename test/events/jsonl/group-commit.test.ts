import { describe, expect, it } from 'vitest';
import { kernelIo as createKernelIo } from '../../../src/events/jsonl/log-io.ts';
import { numbered, reasonsIn, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

const kernelIo = createKernelIo();

async function countingLog() {
  const path = await tempLogPath();
  const calls: string[] = [];
  const log = await openTestLog(path, {
    io: {
      write: (fd, bytes) => {
        calls.push('write');
        return kernelIo.write(fd, bytes);
      },
      sync: async (fd) => {
        await kernelIo.sync(fd);
        calls.push('synced');
      },
    },
  });
  return { log, calls };
}

describe('group commit', () => {
  it('writes and syncs once for appends made together', async () => {
    const { log, calls } = await countingLog();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        log.append('s', [skipped('s', String(n))], { expectedVersion: 'any' }),
      ),
    );
    expect(calls).toEqual(['write', 'synced']);
    expect(await reasonsIn(log)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });

  it('makes the next group of what arrives meanwhile', async () => {
    const { log, calls } = await countingLog();
    const first = log.append('s', [skipped('s', '0')], { expectedVersion: 'any' });
    // By now the first group has been written, and its sync is under way.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const others = Array.from({ length: 20 }, (_, n) =>
      log.append('s', [skipped('s', String(n + 1))], { expectedVersion: n + 1 }),
    );
    await Promise.all([first, ...others]);
    expect(calls).toEqual(['write', 'synced', 'write', 'synced']);
  });

  it('acknowledges only what was synced', async () => {
    const { log, calls } = await countingLog();
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    calls.push('acknowledged');
    expect(calls).toEqual(['write', 'synced', 'acknowledged']);
  });

  it('writes nothing when every append of the group is refused', async () => {
    const { log, calls } = await countingLog();
    const outcomes = await Promise.allSettled(
      [3, 4].map((expectedVersion) => log.append('s', numbered('s', 1), { expectedVersion })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toEqual([]);
  });

  it('splits a flood into groups, so that nobody has the lock for long', async () => {
    const { log, calls } = await countingLog();
    await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        log.append('s', numbered('s', 400, n * 400), { expectedVersion: 'any' }),
      ),
    );
    expect(calls.filter((call) => call === 'write')).toHaveLength(3);
    expect(await reasonsIn(log)).toHaveLength(2_000);
  });
});
