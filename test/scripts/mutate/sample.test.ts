import { expect, it } from 'vitest';
import { mutantsOf } from '../../../scripts/mutate/mutants-of.ts';
import { cell, isIn, rowsOf, sample } from '../../../scripts/mutate/sample.ts';
import { seededRandom } from '../../helpers/random.ts';

const source = 'if (a > 1) b();\nif (c) d(2);\nf(e || f);\n';
const all = mutantsOf('some.ts', source).map((mutant) => ({ ...mutant, file: 'src/some.ts' }));

it('draws the same for the same seed, at most one of a line', () => {
  const drawn = sample(all, 100, seededRandom(1));
  expect(sample(all, 100, seededRandom(1))).toEqual(drawn);
  expect(new Set(drawn.map(({ line }) => line))).toHaveProperty('size', 3);
  expect(drawn).toHaveLength(3);
});

it('knows what an earlier table has, in a file that moved and with lines that shifted', () => {
  const before = 'e || f';
  const rows = rowsOf(
    `| file:line | change | before | after |\n| --- | --- | --- | --- |\n| src/old/some.ts:90 | operator | ${cell(before)} | ${cell('&&')} |`,
  );
  const known = all.filter((each) => isIn(rows, each));
  expect(known.map(({ before: text }) => text)).toEqual([before, before]);
});
