import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseParts } from '../../../src/views/text/prose-parts.ts';

/** Each span as `style:text`, plain ones as their text. */
const shown = (text: string) =>
  proseParts(text).map(({ text: part, style }) => (style === 'plain' ? part : `${style}:${part}`));

describe('what an agent writes', () => {
  it('has headings, code and what is stressed stand out, each beside its marks', () => {
    expect(shown('## What is `new`')).toEqual(['dim:## ', 'bold:What is ', 'dim:`', 'code:new', 'dim:`']);
    expect(shown('- **Done:** ``a`b`` no')).toEqual(['- ', 'dim:**', 'bold:Done:', 'dim:**', ' ``a`b`` no']);
    expect(shown('run `npm test`, then **read it**.')).toEqual([
      'run ',
      'dim:`',
      'code:npm test',
      'dim:`',
      ', then ',
      'dim:**',
      'bold:read it',
      'dim:**',
      '.',
    ]);
    expect(shown('```ts')).toEqual(['dim:```ts']);
  });

  it.each([
    'const area = 2 ** 3 ** 2;',
    'f(**first, **second)',
    '__init__ and snake_case_name',
    'src/**/*.test.ts, test/**/*.ts',
    '#define A 1',
    '#!/bin/sh',
    'an open ` tick, and **an open mark',
    '▸ bash npm test',
    '',
  ])('is left alone where it marks nothing: %j', (text) => {
    expect(shown(text)).toEqual([text]);
  });

  it('has each of its characters', () => {
    const piece = fc.constantFrom('**', '*', '`', '``', '```', '# ', 'a', ' ', '\\', '漢', '_');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(
          proseParts(text)
            .map((span) => span.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
