import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { WriterTask } from './writer-protocol.ts';

const reportSchema = z.object({ worstMs: z.number() });

/** What several writing processes reached together. */
export type WritersResult = { readonly eventsPerSecond: number; readonly worstMs: number };

/** Starts one process of `program` per task, lets them write at once, and waits for the last. */
export async function runWriters(program: URL, tasks: readonly WriterTask[]): Promise<WritersResult> {
  const children = await Promise.all(
    tasks.map(async (task) => {
      const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const ready = nextMessage(child);
      child.send(task);
      await ready;
      return child;
    }),
  );
  const start = performance.now();
  const reports = await Promise.all(
    children.map(async (child) => {
      const report = nextMessage(child);
      child.send('go');
      return reportSchema.parse(await report);
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode === null) await once(child, 'exit');
    }),
  );
  const events = tasks.reduce((sum, { count }) => sum + count, 0);
  return { eventsPerSecond: events / seconds, worstMs: Math.max(...reports.map(({ worstMs }) => worstMs)) };
}

/** The next message of a child; rejects when it ends without one. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const message = once(child, 'message', { signal }).then(([value]: unknown[]) => value);
    const exit = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
      throw new Error(`A writing process ended with code ${String(code)}`);
    });
    // The loser of the race is cancelled below, and its rejection is of no interest.
    message.catch(() => undefined);
    exit.catch(() => undefined);
    return await Promise.race([message, exit]);
  } finally {
    ended.abort();
  }
}
