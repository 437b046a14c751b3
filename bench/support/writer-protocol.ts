import { z } from 'zod';
import type { NewEvent } from '../../src/events/envelope.ts';
import { sampleEvent } from './sample-events.ts';

const taskSchema = z.strictObject({
  path: z.string(),
  stream: z.string(),
  mode: z.enum(['any', 'conditional']),
  count: z.int().positive(),
});

/** What a writing process is told to do. */
export type WriterTask = z.infer<typeof taskSchema>;

/** What it says when it is done: its longest single write, in ms. */
export type WriterReport = { readonly worstMs: number };

/** Writes one event durably. */
export type Writer = {
  readonly write: (event: NewEvent) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Events written before the measurement starts: the code is compiled by then, on both sides. */
const WARM_UP_EVENTS = 1_000;

/** The process's side: gets its task, opens and warms up, says ready, and writes when told to go. */
export async function runWriter(open: (task: WriterTask) => Promise<Writer>): Promise<void> {
  const task = taskSchema.parse(await nextMessage());
  const writer = await open(task);
  const events = Array.from({ length: WARM_UP_EVENTS + task.count }, (_, n) => sampleEvent(task.stream, n));
  for (const event of events.slice(0, WARM_UP_EVENTS)) await writer.write(event);
  process.send?.('ready');
  await nextMessage();
  let worstMs = 0;
  for (const event of events.slice(WARM_UP_EVENTS)) {
    const start = performance.now();
    await writer.write(event);
    worstMs = Math.max(worstMs, performance.now() - start);
  }
  const report: WriterReport = { worstMs };
  process.send?.(report);
  await writer.close();
  process.disconnect?.();
}

function nextMessage(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('message', resolve);
  });
}
