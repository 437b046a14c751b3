import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import { findTornTail } from '../../../src/events/jsonl/tail.ts';
import { numbered, reasonsIn, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

describe('a torn tail', () => {
  // A test per line: each byte costs some syncs, and together they would outlast a test on a busy machine.
  it.each([3, 4, 5])(
    'at every byte of line %i of 5: exactly the complete lines are there, and it goes on',
    async (line) => {
      const path = await tempLogPath();
      const log = await openTestLog(path);
      await log.append('s', numbered('s', 5), { expectedVersion: 0 });
      const whole = await readFile(path);
      const ends = [0, ...[...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1)];
      const [kept = 0, end = 0] = ends.slice(line - 1);
      const before = Array.from({ length: line - 1 }, (_, n) => String(n));

      for (let cut = kept; cut < end; cut += 1) {
        await writeFile(path, whole.subarray(0, cut));
        const reopened = await openJsonlLog(path);
        expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual(before);
        const torn = cut === kept ? undefined : { offset: kept, bytes: cut - kept };
        expect(await findTornTail(path), `cut at byte ${cut}`).toEqual(torn);

        await reopened.append('s', [skipped('s', 'next')], { expectedVersion: line - 1 });
        expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual([...before, 'next']);
        expect((await readFile(path)).subarray(0, kept)).toEqual(whole.subarray(0, kept));
        await reopened.close();
      }
    },
  );

  it('is kept in quarantine, for the owner only', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const { size } = await stat(path);
    await writeFile(path, '{"torn', { flag: 'a' });
    await log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });

    const folder = join(dirname(path), 'quarantine');
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(new RegExp(`^events\\.jsonl\\.${size}\\.`));
    expect(await readFile(join(folder, name), 'utf8')).toBe('{"torn');
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('longer than any buffer, or all there is, is a torn tail still', async () => {
    const path = await tempLogPath();
    await mkdir(dirname(path));
    await writeFile(path, Buffer.alloc(300_000));
    const log = await openTestLog(path);
    expect(await reasonsIn(log)).toEqual([]);
    expect(await log.head('s')).toBe(0);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    expect(await reasonsIn(log)).toEqual(['0']);
  });
});
