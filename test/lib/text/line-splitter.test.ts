import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../src/lib/text/line-splitter.ts';

describe('lines of a text that comes in parts', () => {
  it('are complete at their ends, wherever the parts end', () => {
    const lines = new LineSplitter(100);
    expect(['one\r\ntw', 'o\r', '\n\nthr', 'ee'].flatMap((part) => lines.take(part))).toEqual([
      'one',
      'two',
      '',
    ]);
    expect(lines.unfinished()).toBe('three');
    expect(lines.rest()).toEqual(['three']);
    expect(lines.rest()).toEqual([]);
  });

  it('are given out in pieces where they are too long', () => {
    const lines = new LineSplitter(4);
    expect(['abcd', 'ef', 'gh\ni'].flatMap((part) => lines.take(part))).toEqual(['abcdef', '…gh']);
    expect(['jklm', '\r\n\nn\n'].flatMap((part) => lines.take(part))).toEqual(['ijklm', '', 'n']);
  });

  it('are replaced where they are too long, and the next are whole again', () => {
    const lines = new LineSplitter(4, (beginning) => ({ beginning }));
    expect(lines.take('abcdef')).toEqual([]);
    expect(lines.unfinished()).toBe('');
    expect(['g', 'h\nabcd\nabcde\n'].flatMap((part) => lines.take(part))).toEqual([
      { beginning: 'abcdef' },
      'abcd',
      { beginning: 'abcde' },
    ]);
  });

  it('of which only the beginning is kept, however long they are', () => {
    const lines = new LineSplitter(4, (beginning) => ({ beginning }));
    for (let part = 0; part < 10; part += 1) lines.take('x'.repeat(10_000));
    expect(lines.take('\n')).toEqual([{ beginning: 'x'.repeat(1_000) }]);
    lines.take('abcdef');
    expect(lines.rest()).toEqual([{ beginning: 'abcdef' }]);
  });
});
