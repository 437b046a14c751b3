import {
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { numbered, reasonOf } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

/** How long what is waited for may take on a loaded machine, and how often it is looked at, in ms. */
const PATIENCE = { timeout: 10_000, interval: 2 };

/** A follower at work: what it has seen, and how it ended. */
function startFollower(log: EventLog) {
  const stop = new AbortController();
  const seen: (string | undefined)[] = [];
  const ended = (async () => {
    for await (const { events } of log.follow({ signal: stop.signal })) seen.push(...events.map(reasonOf));
  })();
  // A test that expects an error takes it from `ended`; others see it when they stop.
  ended.catch(() => undefined);
  onTestFinished(() => stop.abort());
  return {
    seen,
    ended,
    sees: (count: number) => vi.waitFor(() => expect(seen).toHaveLength(count), PATIENCE),
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

/** How many folders this process watches. */
const watches = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('FSEvent')).length;

describe('following', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('wakes by notification: with the fallback timer standing still', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const follower = startFollower(log);
    vi.useRealTimers();
    await follower.sees(1);
    const writer = await openTestLog(path);
    for (let n = 1; n < 20; n += 1) {
      await writer.append('s', numbered('s', 1, n), { expectedVersion: n });
      await follower.sees(n + 1);
    }
    await follower.stop();
    expect(follower.seen).toEqual(numbers(20));
  });

  it('starts before the folder exists', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const follower = startFollower(log);
    vi.useRealTimers();
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    await follower.sees(3);
    await log.append('s', numbered('s', 2, 3), { expectedVersion: 3 });
    await follower.sees(5);
    await follower.stop();
    expect(follower.seen).toEqual(numbers(5));
  });

  it('goes on in a file that replaced the old one and begins with the same lines', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    const follower = startFollower(log);
    for (let round = 0; round < 5; round += 1) {
      await log.append('s', numbered('s', 2, round * 2), { expectedVersion: round * 2 });
      await copyFile(path, `${path}.new`);
      await rename(`${path}.new`, path);
    }
    await log.append('s', numbered('s', 1, 10), { expectedVersion: 10 });
    await follower.sees(11);
    await follower.stop();
    expect(follower.seen).toEqual(numbers(11));
  });

  it('sees each of many events once and in order, whoever writes', async () => {
    const path = await tempLogPath();
    const writers = await Promise.all([openTestLog(path), openTestLog(path), openTestLog(path)]);
    const [first] = writers;
    const followers = [startFollower(await openTestLog(path)), startFollower(first)];
    await Promise.all(
      writers.map(async (writer, index) => {
        for (let n = 0; n < 200; n += 1)
          await writer.append(`s${index}`, numbered(`s${index}`, 1, n), { expectedVersion: n });
      }),
    );
    for (const follower of followers) await follower.sees(600);
    const [a, b] = followers;
    expect(a?.seen).toEqual(b?.seen);
    for (const follower of followers) await follower.stop();
  });

  it('waits for the rest of a line', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    for (const event of numbered('s', 2)) await log.append('s', [event], { expectedVersion: 'any' });
    const other = await tempLogPath();
    await mkdir(dirname(other));
    const text = await readFile(path, 'utf8');
    const follower = startFollower(await openTestLog(other));
    await writeFile(other, text.slice(0, -10));
    await follower.sees(1);
    await writeFile(other, text.slice(-10), { flag: 'a' });
    await follower.sees(2);
    await follower.stop();
    expect(follower.seen).toEqual(['0', '1']);
  });

  it('waits for the rest of an append', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const { size } = await stat(path);
    await log.append('s', numbered('s', 3, 1), { expectedVersion: 1 });
    const whole = await readFile(path);
    const other = await tempLogPath();
    await mkdir(dirname(other));
    const follower = startFollower(await openTestLog(other));
    const looks = await openTestLog(other);
    await writeFile(other, whole.subarray(0, size));
    await follower.sees(1);
    const newlines = [...whole.entries()].filter(([at, byte]) => at >= size && byte === 0x0a);
    let written = size;
    for (const [at] of newlines) {
      expect(await looks.head('s')).toBe(1);
      expect(follower.seen).toEqual(['0']);
      await writeFile(other, whole.subarray(written, at + 1), { flag: 'a' });
      written = at + 1;
    }
    await follower.sees(4);
    await follower.stop();
    expect(follower.seen).toEqual(numbers(4));
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['cut', (path) => truncate(path)],
    ['removed', (path) => rm(path)],
    ['removed with its folder', (path) => rm(dirname(path), { recursive: true })],
    [
      'replaced by another history',
      async (path) => {
        const other = await tempLogPath();
        const log = await openTestLog(other);
        await log.append('s', numbered('s', 9, 90), { expectedVersion: 0 });
        await rename(other, path);
      },
    ],
    [
      'replaced by another history of the same length',
      async (path) => {
        const other = await tempLogPath();
        const log = await openTestLog(other);
        await log.append('s', numbered('s', 3, 5), { expectedVersion: 0 });
        await rename(other, path);
      },
    ],
    [
      'cut and written anew in place',
      async (path) => {
        const other = await tempLogPath();
        const log = await openTestLog(other);
        await log.append('s', numbered('s', 9, 90), { expectedVersion: 0 });
        await copyFile(other, path);
      },
    ],
  ])('says so when what it has read was %s', async (_, change) => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    const follower = startFollower(log);
    await follower.sees(3);
    await change(path);
    await expect(follower.ended).rejects.toMatchObject({ code: 'CHECKPOINT_STALE' });
  });

  it('leaves no watch and no file open, however it ends', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    await log.close();
    const reader = await openTestLog(path);
    const before = watches();

    const stopped = startFollower(reader);
    await stopped.sees(1);
    expect(watches()).toBe(before + 1);
    expect(await openFiles()).toContain(path);
    await stopped.stop();
    expect(await openFiles()).not.toContain(path);

    for await (const { events } of reader.follow({ signal: new AbortController().signal })) {
      expect(events).toHaveLength(1);
      break;
    }
    expect(await openFiles()).not.toContain(path);
    await vi.waitFor(() => expect(watches()).toBe(before), PATIENCE);
  });

  it('finds by the fallback what no notification told', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const follower = startFollower(log);
    await vi.waitFor(() => expect(follower.seen).toEqual(['0']), PATIENCE);

    // The same file by a name in another folder: nobody who watches the first folder is told.
    const elsewhere = await tempLogPath();
    await mkdir(dirname(elsewhere));
    await link(path, elsewhere);
    const other = await openTestLog(elsewhere);
    await other.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(follower.seen).toEqual(['0', '1']), PATIENCE);
    await follower.stop();
  });
});

async function openFiles(): Promise<string[]> {
  const folder = '/proc/self/fd';
  return Promise.all(
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => 'closed meanwhile')),
  );
}
