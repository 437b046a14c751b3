import { describe, expect, it } from 'vitest';
import { planChunks, type PlannedModule, type Start } from '../../scripts/bundle/plan-chunks.ts';

/** The chunks of modules that are told with their size in KB, and what they import. */
function chunksOf(starts: readonly string[][], sizes: Record<string, [number, ...string[]]>): string[] {
  const modules = new Map<string, PlannedModule>(
    Object.entries(sizes).map(([id, [sizeKb, ...imports]]) => [id, { sizeKb, imports }]),
  );
  const all = starts.map((ids): Start => ({ modules: new Set(ids), weight: 1 }));
  const chunks = new Map<number, string>();
  for (const [id, chunk] of planChunks(all, modules)) chunks.set(chunk, (chunks.get(chunk) ?? '') + id);
  return [...chunks.values()].map((ids) => ids.split('').toSorted().join('')).toSorted();
}

describe('the plan of chunks', () => {
  it('puts together what the same starts load, and leaves out what none does', () => {
    expect(chunksOf([['a', 'b'], ['c']], { a: [1, 'b'], b: [900], c: [900], d: [1] })).toEqual(['ab', 'c']);
  });

  it('adds what is small to what it is loaded with: a file more costs more than a few KB in vain', () => {
    expect(chunksOf([['a', 'b'], ['a', 'b'], ['b']], { a: [1, 'b'], b: [900] })).toEqual(['ab']);
  });

  it('keeps what is large from those that have no use for it', () => {
    expect(chunksOf([['a', 'b'], ['b']], { a: [900, 'b'], b: [1] })).toEqual(['a', 'b']);
  });

  it('counts what an imported chunk brings along', () => {
    const starts = [['a', 'b', 'c'], ['a', 'b', 'c'], ['b']];
    expect(chunksOf(starts, { a: [1, 'c'], b: [1], c: [900] })).toEqual(['ac', 'b']);
  });

  it('has nothing together that no start loads together', () => {
    expect(chunksOf([['a'], ['b']], { a: [1], b: [1] })).toEqual(['a', 'b']);
  });
});
