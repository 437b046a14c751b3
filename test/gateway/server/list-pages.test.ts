import { expect, it } from 'vitest';
import { listPages } from '../../../src/gateway/server/list-pages.ts';

/** A list of pages with so many UTF-16 units of JSON each, the last of which names no other. */
const pages = (...lengths: number[]) => {
  const left = lengths.map((length) => ['x'.repeat(length - 4)]);
  return async () => ({
    tools: left.shift(),
    ...(left.length > 0 ? { nextCursor: String(left.length) } : {}),
  });
};
const MIB = 1024 * 1024;

it('a list is followed up to 64 MiB, and not beyond', async () => {
  const fits = await listPages('tools', pages(32 * MIB, 32 * MIB, 10));
  expect(fits.elements).toHaveLength(3);
  expect(fits.problem).toBeUndefined();
  const long = await listPages('tools', pages(32 * MIB, 32 * MIB + 1, 10));
  expect(long.elements).toHaveLength(2);
  expect(long.problem).toBe('its list of tools is longer than 64 MiB');
});

it('a list is followed up to 20,000 elements, and not beyond', async () => {
  const many = (count: number) => ({
    tools: Array.from({ length: count }, () => 1),
    nextCursor: String(count),
  });
  const answers = [many(19_999), many(3), many(1)];
  const { elements, problem } = await listPages('tools', async () => answers.shift() ?? {});
  expect(elements).toHaveLength(20_000);
  expect(problem).toBe('its list of tools has more than 20000');
});
