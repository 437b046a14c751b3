import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredMessage } from '../../../src/events/jetstream/message.ts';
import { searchMessages } from '../../../src/events/jetstream/search-messages.ts';

/** What is found in a range among messages at these places, in how many rounds, and how often was asked in each. */
async function search(places: readonly number[], range: { after: number; until: number }, text = '') {
  const rounds: number[] = [];
  let asked = 0;
  let mostHeld = 0;
  const seen = new Set<number>();
  const next = async (after: number) => {
    if (asked === 0) queueMicrotask(() => void (rounds.push(asked), (asked = 0)));
    asked += 1;
    const seq = places.at(placeOf(after));
    if (seq === undefined) return undefined;
    seen.add(seq);
    mostHeld = Math.max(mostHeld, seen.size);
    return { seq, subject: 's', text };
  };
  /** Index of the first message after a place, -1 as long as there is none: places are in order. */
  const placeOf = (after: number) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const batches: StoredMessage[][] = [];
  for await (const batch of searchMessages(range, next)) {
    batches.push(batch);
    for (const { seq } of batch) seen.delete(seq);
  }
  return { found: batches.flat().map(({ seq }) => seq), batches, rounds, mostHeld };
}

const upTo = (count: number, each: number) => Array.from({ length: count }, (_, n) => (n + 1) * each);

describe('messages that are asked for by what comes next', () => {
  it('are found, all and in order, wherever they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 400 }),
        fc.integer({ min: 0, max: 1_000 }),
        async (some, after) => {
          const places = some.toSorted((one, other) => one - other);
          const until = places.at(-1) ?? 0;
          const { found } = await search(places, { after, until });
          expect(found).toEqual(places.filter((place) => place > after));
        },
      ),
    );
  });

  it.each([
    ['one after the other', upTo(500, 1)],
    ['among those of others', upTo(500, 20)],
    ['at the end', upTo(500, 1).map((place) => place + 1_000_000)],
    ['in two heaps', upTo(500, 1).map((place) => (place > 250 ? place + 100_000 : place))],
  ])('take few ways to the server: %s', async (_where, places) => {
    const { found, rounds } = await search(places, { after: 0, until: places.at(-1) ?? 0 });
    expect(found).toEqual(places);
    expect(rounds.length).toBeLessThan(16);
    expect(Math.max(...rounds)).toBeLessThanOrEqual(128);
  });

  it('are no more questions than a few where there is one', async () => {
    const { rounds } = await search([7], { after: 0, until: 7 });
    expect(rounds).toEqual([1]);
  });

  it.each([
    ['one after the other', upTo(20_000, 1)],
    ['among those of others', upTo(20_000, 50)],
    ['in two heaps', upTo(20_000, 1).map((place) => (place > 10_000 ? place + 1_000_000 : place))],
  ])('are not held by the thousand where they are long: %s', async (_where, places) => {
    const text = 'x'.repeat(4_000);
    const range = { after: 0, until: places.at(-1) ?? 0 };
    const { found, rounds, mostHeld } = await search(places, range, text);
    expect(found).toEqual(places);
    // 4 MiB of them, and what some rounds have found behind the first.
    expect(mostHeld).toBeLessThan(2_000);
    expect(rounds.length).toBeLessThan(1_200);
  });

  it('are handed on as soon as nothing before them is open', async () => {
    const { batches } = await search(upTo(2_000, 1), { after: 0, until: 2_000 });
    expect(batches.length).toBeGreaterThan(5);
  });
});
