import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { styleAfter } from '../../../src/lib/text/own-style.ts';
import { rowsOf } from '../../../src/tui/text/spans.ts';
import type { Span, SpanLine } from '../../../src/tui/text/spans.ts';

const plain = (text: string): Span => ({ text, style: 'plain' });
const shown = (line: SpanLine, width: number) =>
  rowsOf(line, width).map((row) => row.map(({ text }) => text).join(''));

describe('rowsOf', () => {
  it('leaves a line that fits', () => {
    expect(shown({ spans: [plain('ab'), plain('cd')], indent: 2 }, 6)).toEqual(['  abcd']);
  });

  it('marks the rows that go on, and keeps what they look like', () => {
    const spans: Span[] = [
      { text: 'abcdef', style: 'name' },
      { text: 'ghijkl', style: 'text' },
    ];
    expect(shown({ spans, indent: 1 }, 8)).toEqual([' abcdefg', ' ↪ hijkl']);
    expect(rowsOf({ spans, indent: 1 }, 8)[1]?.at(-1)).toEqual({ text: 'hijkl', style: 'text' });
  });

  it('leaves no blank out, so that no text passes for a line of its own', () => {
    expect(shown({ spans: [plain(`a${' '.repeat(8)}b`)] }, 6)).toEqual(['a     ', '↪    b']);
  });

  it('keeps a word whole that a row has room for, unless the one before would be half empty', () => {
    expect(shown({ spans: [plain('+const sum = addition(one);')], hang: 1 }, 20)).toEqual([
      '+const sum = ',
      ' ↪ addition(one);',
    ]);
    expect(shown({ spans: [plain('+ an-address-of-15')] }, 16)).toEqual(['+ an-address-of-', '↪ 15']);
    expect(shown({ spans: [plain('one two  '), { text: 'three', style: 'bold' }] }, 11)).toEqual([
      'one two  ',
      '↪ three',
    ]);
    expect(shown({ spans: [plain('one two three')], breaks: 'anywhere' }, 10)).toEqual([
      'one two th',
      '↪ ree',
    ]);
  });

  it('breaks a path between its parts, unless the row before would be half empty', () => {
    const spans = [plain('rm -rf "dist" ../*/node_modules/.cache')];
    expect(shown({ spans, hang: 2 }, 35)).toEqual(['rm -rf "dist" ../*/node_modules/', '  ↪ .cache']);
    expect(shown({ spans, hang: 2 }, 27)).toEqual(['rm -rf "dist" ../*/node_', '  ↪ modules/.cache']);
    expect(shown({ spans: [plain('ab/cdefghijkl')] }, 12)).toEqual(['ab/cdefghijk', '↪ l']);
  });

  it('marks the first row of what goes on with another line', () => {
    expect(shown({ spans: [plain('ab')], indent: 2, isContinued: true }, 9)).toEqual(['  ↪ ab']);
  });

  it('goes on where it is told', () => {
    expect(shown({ spans: [plain('Rule  abcdefgh')], hang: 6 }, 12)).toEqual(['Rule  abcdef', '      ↪ gh']);
  });

  it('leaves half of the width to the text, however deep it stands', () => {
    expect(shown({ spans: [plain('abcdefgh')], indent: 90 }, 10)).toEqual(['     abcde', '     ↪ fgh']);
  });

  it('shows every character in rows that fit', () => {
    const line = fc.record({
      spans: fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '日', '🎉', 'é') }).map(plain)),
      indent: fc.nat({ max: 30 }),
      isContinued: fc.boolean(),
    });
    fc.assert(
      fc.property(line, fc.integer({ min: 10, max: 60 }), (asked, width) => {
        const rows = rowsOf(asked, width);
        const prefix = Math.min(asked.indent, Math.floor(width / 2));
        const texts = rows.map((row) => row.map(({ text }) => text).join(''));
        const said = texts.map((text) => text.slice(prefix).replace(/^↪ /, '')).join('');
        expect(said).toBe(asked.spans.map(({ text }) => text).join(''));
        expect(texts.filter((text) => cellsOf(text) > width)).toEqual([]);
      }),
    );
  });
});

describe('a line for reading', () => {
  const read = (spans: readonly Span[], width: number, over: Partial<SpanLine> = {}) =>
    rowsOf({ spans, breaks: 'words', ...over }, width).map((row) => row.map(({ text }) => text).join(''));

  it('is broken between words, without the blanks there and without a mark', () => {
    expect(read([plain('one two three')], 8)).toEqual(['one two ', 'three']);
    expect(read([plain('one two')], 3)).toEqual(['one', 'two']);
    expect(read([plain('one    two')], 5)).toEqual(['one', 'two']);
  });

  it('is broken inside of a word that is longer than a row, and between the halves of no character', () => {
    expect(read([plain('abcdefg hi')], 3)).toEqual(['abc', 'def', 'g ', 'hi']);
    expect(read([plain('漢字漢')], 5)).toEqual(['漢字', '漢']);
  });

  it('is broken behind the signs in a long word, which begins where the row has got to', () => {
    expect(read([plain('Needed by customer-portal-invoice-list, docs')], 18)).toEqual([
      'Needed by ',
      'customer-portal-',
      'invoice-list, docs',
    ]);
    expect(read([plain('see src/tui/panes/tab-rule.tsx')], 13)).toEqual([
      'see src/tui/',
      'panes/tab-',
      'rule.tsx',
    ]);
  });

  it('is broken before what stands behind the # of an address, and not in it, where a row has room for that', () => {
    const address = 'http://127.0.0.1:41513/#t=aB-c_dE-fG_hI-jK_lM';
    const line = { spans: [plain(`at: ${address}`)], breaks: 'words' } as const;
    expect(shown(line, 24)).toEqual(['at: http://127.0.0.1:', '41513/', '#t=aB-c_dE-fG_hI-jK_lM']);
    expect(shown(line, 60)).toEqual([`at: ${address}`]);
    expect(shown(line, 12).join('')).toBe(`at: ${address}`);
    // Elsewhere it is a sign like any other.
    expect(shown({ spans: [plain('notes#1-2-3-4-5-6')], breaks: 'words' }, 10)).toEqual([
      'notes#1-2-',
      '3-4-5-6',
    ]);
  });

  it('that goes on with the line before has the mark in its first row, too', () => {
    expect(read([plain('one two')], 6, { breaks: 'marked words', isContinued: true })).toEqual([
      '↪ one ',
      '↪ two',
    ]);
  });

  it('begins its first row and the others where it is told', () => {
    expect(read([plain('one two three')], 9, { indent: 1, hang: 3 })).toEqual([' one two ', '   three']);
  });

  it('keeps the styles of its parts, and puts together what looks alike', () => {
    const own = styleAfter(undefined, '\u001B[31m');
    const spans: Span[] = [
      { text: 'red one two', style: 'plain', own },
      { text: ' bold', style: 'bold' },
    ];
    expect(rowsOf({ spans, breaks: 'words' }, 8)).toEqual([
      [{ text: 'red one ', style: 'plain', own }],
      [
        { text: 'two', style: 'plain', own },
        { text: ' bold', style: 'bold' },
      ],
    ]);
  });

  it('is not broken in a word whose parts look different', () => {
    const code: Span = { text: 'release', style: 'name' };
    const spans = [plain('of the server '), code, plain('. A human '), plain('has')];
    expect(shown({ spans, breaks: 'words' }, 21)).toEqual(['of the server ', 'release. A human has']);
    expect(rowsOf({ spans, breaks: 'words' }, 21)[1]).toEqual([code, plain('. A human has')]);
    // One that no row has room for is broken where it has to be.
    expect(shown({ spans, breaks: 'words' }, 6).join('|')).toBe('of the|server|releas|e. A |human |has');
  });

  it('keeps a number and its unit together', () => {
    expect(read([plain('demo-agent, took 6.0 s of 2 h 5 min')], 20)).toEqual([
      'demo-agent, took ',
      '6.0 s of 2 h 5 min',
    ]);
  });

  it('has a row when it is empty', () => {
    expect(read([], 5)).toEqual(['']);
  });
});
