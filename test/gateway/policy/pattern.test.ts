import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversPattern, matchesPattern } from '../../../src/gateway/policy/pattern.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.'), maxLength: 12 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '*', '?'), maxLength: 8 });
const runs = { numRuns: 3_000 };

/** The pattern with something in the place of each star, and an `a` for each question mark. */
function filled(pattern: string, next: () => string): string {
  return pattern.replaceAll('?', 'a').replaceAll('*', next);
}

describe('a pattern', () => {
  it.each([
    ['write_file', 'write_file'],
    ['write_*', 'write_file'],
    ['*_file', 'write_file'],
    ['*', ''],
    ['*', 'anything at all/…'],
    ['r??d', 'read'],
    ['a*b*c', 'a-b-b-c'],
    ['*a?c*', 'xxabcxx'],
    ['mcp__*', 'mcp__x__y'],
    ['**', 'a'],
  ])('%s matches %s', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(true);
  });

  it.each([
    ['write_*', 'rewrite_file'],
    ['write_file', 'write_file '],
    ['write_file', 'Write_file'],
    ['a.c', 'abc'],
    ['[ab]', 'a'],
    ['?', ''],
    ['ab*ba', 'aba'],
    ['a*b*c', 'a-c-b'],
    ['', 'a'],
  ])('%s does not match %s', (pattern, text) => {
    expect(matchesPattern(pattern, text)).toBe(false);
  });

  it('agrees with a regular expression of the same meaning', () => {
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        const source = pattern
          .replaceAll('.', String.raw`\.`)
          .replaceAll('*', '.*')
          .replaceAll('?', '.');
        expect(matchesPattern(pattern, text)).toBe(new RegExp(`^${source}$`, 's').test(text));
      }),
      runs,
    );
  });

  it('takes a text of a million characters and twenty stars, which a backtracking matcher does not', () => {
    expect(matchesPattern(`${'*a'.repeat(20)}*b`, 'a'.repeat(1_000_000))).toBe(false);
  });

  it('covers another only when it matches all that the other matches', () => {
    fc.assert(
      fc.property(
        patterns,
        fc.infiniteStream(patterns),
        fc.infiniteStream(letters),
        (outer, inners, texts) => {
          const inner = filled(outer, () => inners.next().value);
          const text = filled(inner, () => texts.next().value);
          expect(matchesPattern(inner, text)).toBe(true);
          expect(!coversPattern(outer, inner) || matchesPattern(outer, text)).toBe(true);
        },
      ),
      runs,
    );
    expect(coversPattern('fs*', 'fs-?*')).toBe(true);
    expect(coversPattern('write_?', 'write_*')).toBe(false);
  });
});
