import { z } from 'zod';

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

export type Writer = { readonly write: (n: number) => Promise<void>; readonly close: () => Promise<void> };

/** The process's side: gets its task, opens and warms up, says ready, and writes when told to go. */
export async function runWriter(open: (task: WriterTask) => Promise<Writer>): Promise<void> {
  const task = taskSchema.parse(await nextMessage());
  const writer = await open(task);
  for (let n = 0; n < Number(process.env["WARM"] ?? 200); n += 1) await writer.write(n);
  process.send?.('ready');
  await nextMessage();
  let worstMs = 0;
  for (let n = 0; n < task.count; n += 1) {
    const start = performance.now();
    await writer.write(n);
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
