import { expect, it } from 'vitest';
import { inBatches } from '../../../src/events/jetstream/in-batches.ts';

/** What a consumer brings: the counts that the server gives of what is to come, one for each message. */
async function* consumer(counts: readonly number[], { rest }: { readonly rest?: Promise<unknown> } = {}) {
  for (const [at, pending] of counts.entries())
    yield { seq: at + 1, subject: 's', string: () => `${at + 1}`, info: { pending } };
  await rest;
}

const never = new Promise<void>(() => undefined);

/** The numbers of the messages of so many batches. */
async function batchesOf(
  messages: Parameters<typeof inBatches>[0],
  { most = Infinity, until = Infinity } = {},
): Promise<number[][]> {
  const batches: number[][] = [];
  for await (const batch of inBatches(messages, until)) {
    batches.push(batch.map(({ seq }) => seq));
    if (batches.length === most) break;
  }
  return batches;
}

it('what is there at once is one batch, and what comes later another', async () => {
  expect(await batchesOf(consumer([2, 1, 0, 0], { rest: never }), { most: 2 })).toEqual([[1, 2, 3], [4]]);
});

it('a message is given also where the server says that one more is to come, and none does', async () => {
  expect(await batchesOf(consumer([1], { rest: never }), { most: 1 })).toEqual([[1]]);
});

it('what comes after such a one is neither lost nor given twice', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* messages() {
    yield* consumer([1], { rest: promise });
    yield { seq: 2, subject: 's', string: () => '2', info: { pending: 0 } };
  }
  const found: number[][] = [];
  for await (const batch of inBatches(messages())) {
    found.push(batch.map(({ seq }) => seq));
    resolve();
  }
  expect(found).toEqual([[1], [2]]);
});

it('ends with the last message that is wanted, or with the consumer, and gives what there was', async () => {
  expect(await batchesOf(consumer([9, 8, 7], { rest: never }), { until: 2 })).toEqual([[1, 2]]);
  expect(await batchesOf(consumer([9, 8]))).toEqual([[1, 2]]);
});

it('a batch has 256 messages at most', async () => {
  const counts = Array.from({ length: 600 }, (_, at) => 599 - at);
  expect((await batchesOf(consumer(counts))).map(({ length }) => length)).toEqual([256, 256, 88]);
});

it('a batch is not much longer than what is read at once, however few messages that are', async () => {
  async function* long() {
    for (const pending of [3, 2, 1, 0])
      yield { seq: 4 - pending, subject: 's', string: () => 'x'.repeat(200_000), info: { pending } };
  }
  expect(await batchesOf(long())).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('throws what the consumer does', async () => {
  const failing = consumer([5], { rest: Promise.reject(new Error('gone')) });
  await expect(batchesOf(failing)).rejects.toThrow('gone');
});
