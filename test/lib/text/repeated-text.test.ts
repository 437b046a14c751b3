import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

/** So long nothing reads one text on the slowest machine, in ms: only what never comes back takes it. */
const HUNG_MS = 20_000;

it('no text that repeats itself hangs what reads the words of agents', { timeout: 300_000 }, async () => {
  expect(await hungAt()).toBeUndefined();
});

/** What was read when nothing came any more; `undefined`: all was. Another thread reads: one that hangs can be ended. */
function hungAt(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../../helpers/repeated-text-worker.ts', import.meta.url));
    let reading = 'the first text';
    const hang = setTimeout(() => {
      resolve(reading);
      void worker.terminate();
    }, HUNG_MS);
    worker.on('message', (made: string) => {
      reading = made;
      hang.refresh();
    });
    worker.on('error', (error) => {
      clearTimeout(hang);
      reject(new Error(`Reading ${reading} failed`, { cause: error }));
    });
    worker.on('exit', () => {
      clearTimeout(hang);
      resolve(undefined);
    });
  });
}
