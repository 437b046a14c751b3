import { appendFileSync } from 'node:fs';

/**
 * Loaded before a program, with `--expose-gc`: writes what its process holds after a collection to the file
 * `BENCH_MEMORY`, as `{ heapUsed, arrayBuffers, rss }` on a line, at every SIGUSR2.
 */
const path = process.env['BENCH_MEMORY'] ?? '';
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  appendFileSync(path, `${JSON.stringify({ heapUsed, arrayBuffers, rss })}\n`);
});
