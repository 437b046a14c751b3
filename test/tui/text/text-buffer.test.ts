import { describe, expect, it } from 'vitest';
import { MAX_TEXT_LENGTH } from '../../../src/events/field-schemas.ts';
import { edit } from '../../../src/tui/keys/edit-keys.ts';
import { emptyBuffer, insert, insertPaste, wholeText } from '../../../src/tui/text/text-buffer.ts';
import type { TextBuffer } from '../../../src/tui/text/text-buffer.ts';

/** `|` stands for the cursor. */
function at(drawn: string): TextBuffer {
  return { text: drawn.replace('|', ''), cursor: drawn.indexOf('|') };
}

function draw({ text, cursor }: TextBuffer): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('editing an answer', () => {
  it.each([
    ['left', 'ab|', 'a|b'],
    ['left', '|ab', '|ab'],
    ['left', 'a\n|b', 'a|\nb'],
    ['left', 'a👨‍👩‍👧|', 'a|👨‍👩‍👧'],
    ['right', 'a|👨‍👩‍👧b', 'a👨‍👩‍👧|b'],
    ['right', 'a|\nb', 'a\n|b'],
    ['right', 'ab|', 'ab|'],
    ['up', 'long line\nab|c', 'lo|ng line\nabc'],
    ['up', 'ab|', '|ab'],
    ['down', 'ab|c\n🎉🎉🎉', 'abc\n🎉🎉|🎉'],
    ['down', 'abc|d\nx', 'abcd\nx|'],
    ['down', 'a|b', 'ab|'],
    ['ctrl+a', 'one\ntw|o', 'one\n|two'],
    ['ctrl+e', 'o|ne\ntwo', 'one|\ntwo'],
    ['ctrl+left', 'one two|', 'one |two'],
    ['ctrl+right', 'one| two', 'one two|'],
    ['backspace', 'a🎉|', 'a|'],
    ['backspace', 'e\u0301|x', '|x'],
    ['backspace', '|a', '|a'],
    ['backspace', 'a\n|b', 'a|b'],
    ['delete', '|🎉a', '|a'],
    ['ctrl+d', 'a|b', 'a|'],
    ['ctrl+w', 'one two  |three', 'one |three'],
    ['ctrl+u', 'one\ntwo|three', 'one\n|three'],
    ['ctrl+u', 'one\n|two', 'one|two'],
    ['ctrl+k', 'one|two\nthree', 'one|\nthree'],
    ['ctrl+k', 'one|\ntwo', 'one|two'],
    ['ctrl+g', 'one|', 'one|'],
  ])('%s turns %j into %j', (key, before, after) => {
    expect(draw(edit(at(before), key))).toBe(after);
  });

  it('inserts at the cursor', () => {
    expect(draw(insert(at('a|c'), 'b\n'))).toBe('ab\n|c');
  });

  it('takes no more than an answer may hold', () => {
    const full = { text: 'x'.repeat(MAX_TEXT_LENGTH), cursor: 0 };
    expect(insert(full, 'y')).toEqual(full);
  });
});

describe('what is pasted', () => {
  it('cannot bring a character along that stands for a paste', () => {
    const first = insertPaste(emptyBuffer, 'x'.repeat(500));
    expect(wholeText(insertPaste(first, '\ufdd0'))).toBe('x'.repeat(500));
    expect(wholeText(insert(first, '\ufdd0'))).toBe('x'.repeat(500));
  });

  it('is seen as it is once there are too many', () => {
    const paste = 'x'.repeat(500);
    const all = Array.from({ length: 33 }).reduce<TextBuffer>(
      (buffer) => insertPaste(buffer, paste),
      emptyBuffer,
    );
    expect(all.text).toHaveLength(32 + 500);
    expect(wholeText(all)).toHaveLength(33 * 500);
  });
});
