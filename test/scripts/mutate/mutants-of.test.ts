import { expect, it } from 'vitest';
import { applyTo, mutantsOf } from '../../../scripts/mutate/mutants-of.ts';

/** All that a source becomes by one change. */
function becomes(source: string): string[] {
  return mutantsOf('some.ts', source).map((mutant) => applyTo(source, mutant));
}

it('changes conditions, operators, constants and statements, one at a time', () => {
  expect(becomes('if (a > 1) b();')).toEqual([
    'if (!(a > 1)) b();',
    'void 0;',
    'if (a >= 1) b();',
    'if (a > 0) b();',
    'if (a > 1) void 0;',
  ]);
  expect(becomes('x = a ?? b;')).toEqual(['void 0;', 'x = a;', 'x = b;']);
  expect(becomes('await a();')).toEqual(['void 0;', 'void a();']);
  expect(becomes('f({ a, b });')).toEqual(['void 0;', 'f({  b });', 'f({ a,  });']);
});

it('leaves types, imports, the texts of errors and what would be the same alone', () => {
  expect(becomes("import { a } from 'a';\ntype B = 1 | 2;\nlet c: 3;")).toEqual([]);
  expect(becomes("throw new ConfigError('Cannot', { code: 'A', count: 1 });")).toEqual([]);
  expect(becomes("const text = { fix: 'Do it' };")).toEqual([]);
  expect(becomes('function f() { return undefined; }')).toEqual([]);
});

it('counts lines from 1 and keeps what stands around', () => {
  const source = 'first();\nsecond(true);\n';
  expect(mutantsOf('some.ts', source).at(-1)).toMatchObject({ line: 2, before: 'true', after: 'false' });
  expect(becomes(source).at(-1)).toBe('first();\nsecond(false);\n');
});
