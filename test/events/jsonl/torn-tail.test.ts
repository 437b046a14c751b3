import { mkdir, readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import { findTornTail } from '../../../src/events/jsonl/tail.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { collect, numbered, reasonOf, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

/** What the samples in the log say, in order. */
async function reasonsIn(log: EventLog): Promise<(string | undefined)[]> {
  return (await collect(log.read())).filter(({ type }) => type === 'task.skipped').map(reasonOf);
}

/** What the log says of torn tails. */
async function repairsIn(log: EventLog) {
  return (await collect(log.read())).filter((event) => event.type === 'log.repaired');
}

/** As their names say where they were. */
function byOffset(one: string, other: string): number {
  const offsetIn = (name: string) => Number(name.split('.').at(-2));
  return offsetIn(one) - offsetIn(other);
}

describe('a torn tail', () => {
  // Each byte costs some syncs: every one of the last line, and of the others those around the newlines and some more.
  it.each([
    [3, 7],
    [4, 7],
    [5, 1],
  ])(
    'of line %i of 5, cut at every byte or every %i: exactly the complete lines are there, and it goes on',
    async (line, step) => {
      const path = await tempLogPath();
      const log = await openTestLog(path);
      for (const event of numbered('s', 5)) await log.append('s', [event], { expectedVersion: 'any' });
      const whole = await readFile(path);
      const ends = [0, ...[...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1)];
      const [kept = 0, end = 0] = ends.slice(line - 1);
      const before = Array.from({ length: line - 1 }, (_, n) => String(n));

      for (let cut = kept; cut < end; cut += cut - kept < 3 || end - cut < 48 ? 1 : step) {
        await writeFile(path, whole.subarray(0, cut));
        const reopened = await openJsonlLog(path);
        expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual(before);
        const torn = cut === kept ? undefined : { offset: kept, bytes: cut - kept };
        expect(findTornTail(path), `cut at byte ${cut}`).toEqual(torn);

        await reopened.append('s', [skipped('s', 'next')], { expectedVersion: line - 1 });
        expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual([...before, 'next']);
        expect(await repairsIn(reopened), `cut at byte ${cut}`).toMatchObject(torn ? [{ data: torn }] : []);
        expect(whole.subarray(0, kept).equals((await readFile(path)).subarray(0, kept))).toBe(true);
        await reopened.close();
      }
    },
  );

  // Cut anywhere, the second line's last byte included: the append is one, so none of it is there.
  it.each([
    ['the first', 0],
    ['the second', 1],
    ['the last', 2],
  ])('of %s of three events appended together takes all three along', async (_, line) => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 2), { expectedVersion: 0 });
    const kept = (await stat(path)).size;
    await log.append('s', numbered('s', 3, 2), { expectedVersion: 2 });
    const whole = await readFile(path);
    const ends = [...whole.entries()]
      .filter(([at, byte]) => at >= kept && byte === 0x0a)
      .map(([at]) => at + 1);
    const [from = 0, end = 0] = [kept, ...ends].slice(line);

    // Each byte costs some syncs: those around the newlines, and a few of the others.
    for (let cut = from; cut < end; cut += cut - from < 3 || end - cut < 48 ? 1 : 7) {
      await writeFile(path, whole.subarray(0, cut));
      const reopened = await openJsonlLog(path);
      expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual(['0', '1']);
      expect(await reopened.head('s'), `cut at byte ${cut}`).toBe(2);
      const torn = cut === kept ? undefined : { offset: kept, bytes: cut - kept };
      expect(findTornTail(path), `cut at byte ${cut}`).toEqual(torn);

      await reopened.append('s', numbered('s', 2, 2), { expectedVersion: 2 });
      expect(await reasonsIn(reopened), `cut at byte ${cut}`).toEqual(['0', '1', '2', '3']);
      expect(whole.subarray(0, kept).equals((await readFile(path)).subarray(0, kept))).toBe(true);
      await reopened.close();
    }
  });

  it('of one append leaves those whole that were written with it', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await Promise.all([
      log.append('s', numbered('s', 3), { expectedVersion: 0 }),
      log.append('t', numbered('t', 3, 3), { expectedVersion: 0 }),
    ]);
    await truncate(path, (await stat(path)).size - 1);
    const reopened = await openTestLog(path);
    expect(await reasonsIn(reopened)).toEqual(['0', '1', '2']);
    await reopened.append('u', numbered('u', 1, 6), { expectedVersion: 0 });
    expect(await reasonsIn(reopened)).toEqual(['0', '1', '2', '6']);
  });

  it('is cut by a process that was at work when another one left it', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const other = await openTestLog(path);
    await other.append('t', numbered('t', 3, 1), { expectedVersion: 0 });
    const [, second = ''] = (await readFile(path, 'utf8')).match(/.*\n/g)?.slice(2) ?? [];
    await truncate(path, (await stat(path)).size - second.length);

    await log.append('s', numbered('s', 1, 9), { expectedVersion: 1 });
    expect(await reasonsIn(log)).toEqual(['0', '9']);
    expect(await log.append('t', numbered('t', 1, 4), { expectedVersion: 0 })).toHaveLength(1);
  });

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

  it('stands in the log behind what is appended next, also where that is refused', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const tear = () => writeFile(path, '{"torn', { flag: 'a' });
    await tear();
    const stored = await log.append('s', numbered('s', 2, 1), { expectedVersion: 1 });
    expect(stored.map(({ type }) => type)).toEqual(['task.skipped', 'task.skipped']);
    expect(await log.head('s')).toBe(4);
    await tear();
    await expect(log.append('s', numbered('s', 1, 3), { expectedVersion: 3 })).rejects.toMatchObject({
      actual: 4,
    });
    await log.append('s', numbered('s', 1, 3), { expectedVersion: 5 });

    const events = await collect(log.read());
    expect(events.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3 }, () => 'task.skipped'),
      'log.repaired',
      'log.repaired',
      'task.skipped',
    ]);
    const names = (await readdir(join(dirname(path), 'quarantine'))).map((name) => `quarantine/${name}`);
    const repairs = await repairsIn(log);
    expect(repairs).toMatchObject([
      { source: '/clifford/cli', subject: 's', data: { bytes: 6 } },
      { data: { bytes: 6 } },
    ]);
    expect(repairs.map(({ data }) => data.quarantined)).toEqual(names.toSorted(byOffset));
    const whole = (await readFile(path, 'utf8')).split('\n');
    const offset = (lines: number) => Buffer.byteLength(whole.slice(0, lines).join('\n')) + 1;
    expect(repairs.map(({ data }) => data.offset)).toEqual([offset(1), offset(4)]);
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
