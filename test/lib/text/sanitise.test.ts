import { describe, expect, it } from 'vitest';
import { withoutHiddenButJoiners } from '../../../src/lib/text/hidden-characters.ts';
import { escapeAgentLine, lastOverwrite, stripAgentText } from '../../../src/lib/text/sanitise.ts';
import { visible, visibleLine } from '../../../src/lib/text/visible.ts';

const hostile = [
  ['colour', '\u001B[31mred\u001B[0m', 'red'],
  ['conceal', 'a\u001B[8mb', 'ab'],
  ['clear the screen', '\u001B[2J\u001B[Hx', 'x'],
  ['8-bit CSI', '\u009B2Jx', 'x'],
  ['clipboard, ended by BEL', 'a\u001B]52;c;aGk=\u0007b', 'ab'],
  ['link, ended by ST', '\u001B]8;;http://x\u001B\\text\u001B]8;;\u001B\\', 'text'],
  ['title without an end', 'a\u001B]0;gone', 'a'],
  ['DCS', 'a\u001BPq#0\u001B\\b', 'ab'],
  ['alternate charset', '\u001B(0lqk', 'lqk'],
  ['reset', '\u001Bcx', 'x'],
  ['lone escape at the end', 'x\u001B', 'x'],
  ['bell, backspace and NUL', 'a\u0007\b\0b', 'ab'],
  ['text turned round', 'a\u202Eb\u2066c', 'abc'],
  ['characters without width', 'a\u200Bb\uFEFFc\u00ADd', 'abcd'],
  ['braille without a dot', 'rm\u2800x', 'rmx'],
  ['hidden tags', 'a\u{E0041}b', 'ab'],
  ['line separators', 'a\u2028b\r\nc', 'a\nb\nc'],
  ['heaped marks', `o${'\u0301'.repeat(9)}!`, `o${'\u0301'.repeat(4)}!`],
  ['half a surrogate pair', 'a\uD83Db', 'a\uFFFDb'],
] as const;

describe('stripAgentText', () => {
  it.each(hostile)('takes away: %s', (_what, text, clean) => {
    expect(stripAgentText(text)).toBe(clean);
  });

  it('leaves ordinary text of any script', () => {
    const text = 'naïve 日本語 العربية 🎉 ✓\n  indented';
    expect(stripAgentText(text)).toBe(text);
  });
});

describe('visible', () => {
  it('shows a lone carriage return, which would write over its line', () => {
    expect(visible('rm -rf ~\recho hello\r\nnext\r\r\nlast')).toBe('rm -rf ~\\recho hello\nnext\nlast');
    expect(visibleLine(' rm -rf ~\recho  hello\r\nnext\r')).toBe('rm -rf ~\\recho hello next');
  });

  it('shows what it takes away', () => {
    expect(visible('\u001B[31mrm\u202E -rf\0')).toBe(String.raw`\u001b[31mrm\u202e -rf\u0000`);
    expect(visible('\u{E0041}')).toBe(String.raw`\udb40\udc41`);
  });

  it('breaks no line where there is no newline', () => {
    const shown = visible('a\u2028b\u2029c\u0085d\u000Be\fg\r\nh');
    expect(shown).toBe(String.raw`a\u2028b\u2029c\u0085d\u000be\u000cg` + '\nh');
  });

  it('shows every mark of a heap, and a JSON text stays the same value', () => {
    const json = JSON.stringify(`rm /a${'\u0301'.repeat(7)}\u2028/x`);
    for (const shown of [visible(json), escapeAgentLine(json)]) {
      expect(shown).toMatch(/\u0301{4}\\u0301\\u0301\\u0301\\u2028\/x"$/);
      expect(JSON.parse(shown)).toBe(JSON.parse(json));
    }
  });

  it.each(hostile)('lets nothing through: %s', (_what, text) => {
    const shown = visible(text);
    expect(stripAgentText(shown)).toBe(shown);
  });
});

describe('withoutHiddenButJoiners', () => {
  it('keeps newlines, tabs and joined emoji, and drops sequences and controls', () => {
    expect(withoutHiddenButJoiners('a\r\n\tb👨‍👩‍👧\u001B[31m\u0007\u202E\rc')).toBe('a\n\tb👨‍👩‍👧\nc');
  });
});

describe('lastOverwrite', () => {
  it.each([
    ['10%\r50%\r100%', '100%'],
    ['done\r', 'done'],
    ['plain', 'plain'],
  ])('%j reads %j', (line, shown) => {
    expect(lastOverwrite(line)).toBe(shown);
  });
});

describe('escapeAgentLine', () => {
  it('shows what ends a line, too', () => {
    expect(escapeAgentLine('a\nb\r\nc\u2028d\te\u001B[2Jf')).toBe(String.raw`a\nb\r\nc\u2028d\te\u001b[2Jf`);
  });

  it('shows what turns text round or has no width', () => {
    expect(escapeAgentLine('a\u202Eb\u200Bc')).toBe(String.raw`a\u202eb\u200bc`);
  });
});
