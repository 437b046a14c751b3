import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionOf, denying } from './command-policies.ts';
import { propertyRuns } from '../../../helpers/property-runs.ts';

/** `SHELL_SEED` repeats what failed. */
const seed = Number(process.env['SHELL_SEED'] ?? randomInt(2 ** 31));

describe('whatever the text', () => {
  const pieces = [
    '$(',
    '(',
    ';',
    ':;',
    'a',
    '{',
    '{a,b}',
    '{a,',
    '"',
    "'",
    '`',
    '"$(',
    '$((',
    '${',
    '${a:-',
    '<<a\n',
    'cat <<a;',

    '\\',
    '\\\n',
    '[',
    '@(',
    '<(',
    'case a in ',
    'if ',
    'a&&',
    'a|',
    'a=(',
    'a[',
    '! ',
    '$',
    '`\\`',
    '[[ ',
    'f(){ ',

    '$x ',
    '"$x"',
    '$(a) ',
    'env ',
    'sudo ',
    'parallel ',
    'xargs ',
    'eval ',
    'coproc ',
    'trap a ',
    'alias a=b ',
    'echo a|sh;',

    'x=a;$x;',
    'é',
    '\u200b',
    '😀',
    '\ud800',
    'set -- a;"$@";',
    'env -S a ',
    'bash -c "',
    '\0',
    '#a\n',
    'git -c a=!b ',
  ];

  // A quarter of the time by `npm test`: what takes long for one of them does for the others.
  const lengths = process.env['PROPERTY_RUNS'] === 'all' ? [65_000, 100_000] : [100_000];
  const ends = process.env['PROPERTY_RUNS'] === 'all' ? ['', '\nrm x'] : ['\nrm x'];

  it.each(pieces)('100 KB of %j are judged in a second', (piece) => {
    const before = process.cpuUsage();
    for (const length of lengths) {
      const text = piece.repeat(length / piece.length);
      for (const end of ends) decisionOf(text + end, denying('rm'));
    }
    const { user } = process.cpuUsage(before);
    // On average of all texts, on a machine with other things to do.
    expect(user / (lengths.length * ends.length)).toBeLessThan(1_000_000);
  });

  it('does not throw', () => {
    const text = fc.string({
      unit: fc.constantFrom(...pieces.flatMap((piece) => [piece, ' ', 'a', ')', '}'])),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, (any) => {
        expect(['allow', 'confirm', 'deny']).toContain(decisionOf(any, denying('rm')));
      }),
      { seed, numRuns: propertyRuns(1_000) },
    );
  });
});
