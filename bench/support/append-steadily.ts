import { setTimeout as pause } from 'node:timers/promises';
import { newEvent } from '../../src/events/envelope.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';

/** Appends 1,000 events of a task to a log a second, ten of them together, until it is stopped; that says how many came a second. */
export function appendSteadily(path: string, stream: string, task: string): () => Promise<number> {
  const stop = new AbortController();
  const run = async () => {
    const log = await openJsonlLog(path);
    const start = performance.now();
    let written = 0;
    while (!stop.signal.aborted) {
      const due = Math.floor(performance.now() - start) - written;
      const events = Array.from({ length: Math.max(0, due) }, () => returned((written += 1)));
      await Promise.all(events.map((event) => log.append(stream, [event], { expectedVersion: 'any' })));
      await pause(10);
    }
    await log.close();
    return written / ((performance.now() - start) / 1_000);
  };
  const returned = (number: number) =>
    newEvent('/clifford/mcp', {
      type: 'tool.returned',
      subject: `${stream}/${task}`,
      data: { callId: `call-${number}`, isError: false, durationMs: 12, bytes: 2_048 },
    });
  const done = run();
  return () => {
    stop.abort();
    return done;
  };
}
