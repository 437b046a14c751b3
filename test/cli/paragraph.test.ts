import { describe, expect, it } from 'vitest';
import { hanging } from '../../src/cli/text/paragraph.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';

const on = (columns: number) => ({ stdout: { isTTY: true, columns } });
const text = 'words that are broken between each other and never inside of one 日本語';

describe('a line that hangs', () => {
  it.each([40, 47, 60, 80])('keeps its words whole on a terminal of %i columns', (columns) => {
    const lines = hanging(on(columns), '\u001B[32m✔\u001B[39m ', text).split('\n');
    expect(Math.max(...lines.map(cellsOf))).toBeLessThanOrEqual(columns);
    expect(lines.slice(1)).toEqual(lines.slice(1).map(() => expect.stringMatching(/^ {2}\S/)));
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(`\u001B[32m✔\u001B[39m ${text}`);
  });

  it('goes on at its indent, below a longer lead', () => {
    expect(hanging(on(40), '12:00:00 demo/a task.completed ', 'in a place with little room', 4)).toBe(
      '12:00:00 demo/a task.completed in a\n    place with little room',
    );
  });

  it('begins below a lead that leaves no room', () => {
    expect(hanging(on(40), `${'x'.repeat(38)} `, 'word', 4)).toBe(`${'x'.repeat(38)} \n    word`);
  });

  it('begins below a lead that is wider than the terminal, which is not cut', () => {
    expect(hanging(on(40), `${'x'.repeat(50)} `, 'word', 4)).toBe(`${'x'.repeat(50)}\n    word`);
  });

  it('is as wide as on 80 columns where a terminal says that it has none', () => {
    expect(hanging(on(0), 'a ', text)).toBe(hanging(on(80), 'a ', text));
  });

  it('is one line where there is no terminal', () => {
    expect(hanging({ stdout: { isTTY: false, columns: 40 } }, 'a ', text)).toBe(`a ${text}`);
  });
});
