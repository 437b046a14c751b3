import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { numbered, reasonsIn, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';

const holderProgram = fixtureProgram('processes/lock-holder.ts');

it('a stopped process that has the lock delays an append no longer than the bound, and the event loop not at all', async () => {
  const path = await tempLogPath();
  const lockWaitMs = 300;
  const log = await openTestLog(path, { lockWaitMs });
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });

  const holder = fork(holderProgram, [path], { execArgv: [] });
  const ended = once(holder, 'exit');
  onTestFinished(async () => {
    holder.kill('SIGKILL');
    await ended;
  });
  await once(holder, 'message');
  holder.kill('SIGSTOP');

  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);
  const start = performance.now();
  const append = log.append('s', [skipped('s', 'late')], { expectedVersion: 1 });
  await expect(append).rejects.toMatchObject({ code: 'LOG_BUSY', recovery: 'retry' });
  await expect(append).rejects.toThrow(`Cannot append to ${path}: another process has held its lock for `);
  const tookMs = performance.now() - start;
  clearInterval(timer);
  expect(tookMs).toBeGreaterThanOrEqual(lockWaitMs);
  expect(tookMs).toBeLessThan(lockWaitMs + 5_000);
  expect(ticks).toBeGreaterThan(5);

  // Nothing was written and nothing is poisoned: once the holder goes on, so do we.
  holder.kill('SIGCONT');
  holder.send('let go');
  await ended;
  await log.append('s', [skipped('s', 'now')], { expectedVersion: 1 });
  expect(await reasonsIn(log)).toEqual(['0', 'now']);
});

it('a holder that is killed lets go', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 1), { expectedVersion: 0 });
  const holder = fork(holderProgram, [path], { execArgv: [] });
  const ended = once(holder, 'exit');
  await once(holder, 'message');
  const append = log.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
  await nextTurn();
  holder.kill('SIGKILL');
  await append;
  await ended;
  expect(await reasonsIn(log)).toEqual(['0', '1']);
});

it('who comes to a crowd that never leaves the lock alone gets its turn', async () => {
  const path = await tempLogPath();
  const crowd = ['a', 'b', 'c'].map((stream) =>
    fork(fixtureProgram('processes/slow-writer.ts'), [path, stream, '18'], { execArgv: [] }),
  );
  const ended = crowd.map((writer) => once(writer, 'exit'));
  onTestFinished(async () => {
    for (const writer of crowd) writer.kill('SIGKILL');
    await Promise.all(ended);
  });
  await Promise.all(crowd.map((writer) => once(writer, 'message')));
  for (const stream of ['s', 't', 'u', 'v', 'w']) {
    const log = await openTestLog(path, { lockWaitMs: 150 });
    const append = log.append(stream, numbered(stream, 1), { expectedVersion: 0 });
    expect(await append).toHaveLength(1);
  }
});

it.runIf(process.platform === 'linux')(
  'no child inherits the descriptor of the log, which would keep its lock',
  async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const stop = new AbortController();
    const following = (async () => {
      for await (const { events } of log.follow({ signal: stop.signal })) {
        expect(events).toHaveLength(1);
        // Now the appender and the follower both have the file open.
        expect(await openFiles(process.pid)).toContain(path);
        const child = spawn('cat', { stdio: 'pipe' });
        await once(child, 'spawn');
        expect(await openFiles(child.pid ?? 0)).not.toContain(path);
        child.stdin.end();
        await once(child, 'exit');
        stop.abort();
      }
    })();
    await following;
  },
);

async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  return Promise.all(
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => 'closed meanwhile')),
  );
}
