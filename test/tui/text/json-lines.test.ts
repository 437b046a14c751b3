import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../src/tui/text/json-lines.ts';
import type { SpanLine } from '../../../src/tui/text/spans.ts';

const textOf = ({ spans, indent = 0, isContinued }: SpanLine) =>
  `${' '.repeat(indent)}${isContinued ? '↪ ' : ''}${spans.map(({ text }) => text).join('')}`;
const shown = (value: unknown) => jsonLines(value, { indent: 0 }).map(textOf);

describe('jsonLines', () => {
  it('indents, and gives each token a style', () => {
    const lines = jsonLines({ path: 'a', tags: [1, null], none: [], more: {} }, { indent: 2 });
    expect(lines.map(textOf)).toEqual([
      '  {',
      '    "path": "a",',
      '    "tags": [',
      '      1,',
      '      null',
      '    ],',
      '    "none": [],',
      '    "more": {}',
      '  }',
    ]);
    expect(lines[1]?.spans.map(({ style }) => style)).toEqual(['name', 'dim', 'text', 'dim']);
    expect(lines[3]?.spans[0]?.style).toBe('literal');
  });

  it('goes on below each newline of a string, and keeps it to be seen', () => {
    expect(shown({ content: 'a\nb\\n\n' })).toEqual([
      '{',
      String.raw`  "content": "a\n`,
      String.raw`  ↪ b\\n\n"`,
      '}',
    ]);
  });

  it('shows what could not be seen, in names as well', () => {
    expect(shown({ 'a\u202Eb': 'x\u001B[2J\u2028\u200By\u009B' })).toEqual([
      '{',
      String.raw`  "a\u202eb": "x\u001b[2J\u2028\u200by\u009b"`,
      '}',
    ]);
  });

  it.each([
    [{ apiKey: 'abc' }],
    [{ api_key: 'abc' }],
    [{ accessToken: 'abc' }],
    [{ password: 'abc' }],
    [{ 'X-Auth-Token': 'abc' }],
    [{ headers: { Authorization: 'Bearer abc' } }],
    [{ credentials: { user: ['abc'] } }],
  ])('masks %j', (args) => {
    const text = shown(args).join('\n');
    expect(text).not.toContain('abc');
    expect(text).toMatch(/\[masked, \d+ characters\]/);
  });

  it.each([[{ key: 'abc' }], [{ path: 'abc' }], [{ maxTokens: 12 }], [{ author: 'abc' }]])(
    'leaves %j',
    (args) => {
      expect(shown(args).join('\n')).not.toContain('masked');
    },
  );

  it.each(['$(rm -rf docs)', 'a; rm b', 'x\ny', '--force', '/etc/passwd', '`id`'])(
    'shows %j whatever its name says, since no key looks like that',
    (text) => {
      expect(shown({ token: text }).join('')).not.toContain('masked');
    },
  );

  it('is the same JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: fc.constantFrom('a', '"', '\\', '\n', 'n', '{', ' ') }),
        (value) => {
          const lines = jsonLines(value, { indent: 0 });
          const shown = lines.flatMap(({ spans }) => spans.map(({ text }) => text)).join('');
          // JSON has no -0.
          expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });
});
