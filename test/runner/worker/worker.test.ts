import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import type { JobQueue } from '../../../src/events/queue/job-queue.ts';
import { placeLabel } from '../../../src/runner/worker/who-has-work.ts';
import { Worker } from '../../../src/runner/worker/worker.ts';
import { ConfigMemory } from '../../../src/workflow/config/config-file.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';

/** A queue that has nothing, and tells of something once. `looks`: how often it was asked; `there`: what is known of who counts as a worker. */
function emptyQueue(): JobQueue & { readonly looks: () => number; readonly there: Set<string> } {
  const never = async () => Promise.reject(new Error('nobody asks for that'));
  let looks = 0;
  const there = new Set<string>();
  return {
    name: 'empty',
    add: never,
    list: never,
    move: never,
    cancel: never,
    attend: (labels) => {
      const said = labels.join();
      there.add(said);
      return () => there.delete(said);
    },
    withoutWorker: never,
    close: async () => undefined,
    take: async () => {
      looks += 1;
      return undefined;
    },
    changed: async ({ signal }) => {
      if (looks > 0) await once(signal, 'abort');
    },
    looks: () => looks,
    there,
  };
}

it('a worker that has heard of a sprint and does not find it looks again at once, and is there until it is told to leave', async () => {
  const queue = emptyQueue();
  const worker = new Worker({
    queue,
    home: await openTestProject(await tempRoot()),
    labels: ['gpu', 'macos'],
    worker: 'build/1',
    project: 'p',
    commands: {},
    env: {},
    configMemory: new ConfigMemory(),
    accepts: false,
    agentCmd: undefined,
    losses: 5,
    once: false,
  });
  const running = worker.run();
  onTestFinished(async () => {
    worker.drain('the test is over');
    await running;
  });
  await expect.poll(queue.looks, { timeout: 4_000 }).toBeGreaterThanOrEqual(3);
  expect([...queue.there]).toEqual([`gpu,macos,${placeLabel('build/1')}`]);
  worker.drain('it is told to');
  expect(queue.there.size).toBe(0);
});
