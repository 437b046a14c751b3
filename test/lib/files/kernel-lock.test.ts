import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryHold, withLock } from '../../../src/lib/files/kernel-lock.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';

const holderProgram = fixtureProgram('processes/lock-holder.ts');

/** A lock in a folder that is not there yet. */
async function lockPath(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-lock-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, 'locks', 'a.lock');
}

const work = () => Promise.resolve('done');

describe('a lock', () => {
  it('has one holder at a time, and lets go also when the work fails', async () => {
    const path = await lockPath();
    await withLock(path, async () => expect(tryHold(path)).toBeUndefined());
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    tryHold(path)?.release();
    expect(await withLock(path, work)).toBe('done');
  });

  it('passes from one to the next of those who wait', async () => {
    const path = await lockPath();
    const held = tryHold(path);
    let holders = 0;
    const waiting = [1, 2, 3].map((each) =>
      withLock(path, async () => {
        holders += 1;
        await new Promise(setImmediate);
        expect(holders).toBe(1);
        holders -= 1;
        return each;
      }),
    );
    held?.release();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
  });

  it('of a process that is killed passes to who waits', async () => {
    const path = await lockPath();
    tryHold(path)?.release();
    const holder = fork(holderProgram, [path], { execArgv: [] });
    const ended = once(holder, 'exit');
    await once(holder, 'message');
    const waiting = withLock(path, work);
    holder.kill('SIGKILL');
    expect(await waiting).toBe('done');
    await ended;
  });

  it('that nobody lets go is named after the limit, and asked for no more', async () => {
    const path = await lockPath();
    const held = tryHold(path);
    await expect(withLock(path, work, { waitMs: 50 })).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      recovery: 'retry',
      message: `Cannot take the lock ${path}: another process has held it for 50 ms`,
    });
    held?.release();
    tryHold(path)?.release();
  });

  it('that cannot be had is a known error with the reason', async () => {
    const path = await lockPath();
    await mkdir(path, { recursive: true });
    const refused = { code: 'LOCK_INACCESSIBLE', message: `Cannot take the lock ${path}: it is a folder` };
    expect(() => tryHold(path)).toThrow(expect.objectContaining(refused));
    await expect(withLock(path, work)).rejects.toMatchObject(refused);
  });

  it.each(['a link', 'a file'])('in a folder that is %s by now makes nothing', async (what) => {
    const path = await lockPath();
    const folder = dirname(path);
    await rm(folder, { recursive: true, force: true });
    const elsewhere = `${folder}-elsewhere`;
    await mkdir(elsewhere);
    await (what === 'a link' ? symlink(elsewhere, folder) : writeFile(folder, ''));
    expect(() => tryHold(path)).toThrow(`Cannot use ${folder}: it is`);
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
