import { describe, expect, it } from 'vitest';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { hangOf } from '../../../src/tui/text/hang-of.ts';
import { rowsOf } from '../../../src/tui/text/spans.ts';

describe('where a line of an agent goes on', () => {
  it.each([
    ['⏺ Bash(npm test)', 2],
    ['▸ Read src/invoices.ts', 2],
    ['  ⎿  1 of 12 tests failed', 5],
    ['  + const number = 1;', 4],
    ['- a point', 2],
    ['- [x] a point that is done', 6],
    ['12. the twelfth', 4],
    ['$ npm test', 2],
    ['⚠️ take care', 3],
    ['    indented', 4],
    ['Plain prose', 0],
    ['a) is no sign', 0],
    ['--flag is none, either', 0],
    ['**bold** words', 0],
    ['-5 degrees', 0],
    ['123. of hundreds', 5],
    ['2026. is a year', 0],
    [`${' '.repeat(38)}- deep`, 40],
    [`${' '.repeat(39)}- deeper than is looked`, 39],
    [`${' '.repeat(50)}far behind`, 40],
    ['', 0],
  ])('is below the text of %j', (line, cells) => {
    expect(hangOf(line)).toBe(cells);
  });

  it('leaves half of a pane for the text at least', () => {
    const output = createAgentOutput();
    output.append('parser', `${' '.repeat(30)}one two three four`);
    const [line] = output.read()?.lines ?? [];
    const rows = line ? rowsOf(line.line, 20).map((row) => row.map(({ text }) => text).join('')) : [];
    expect(rows.at(-1)).toBe(`${' '.repeat(10)}three four`);
  });

  it('has the rest of a call below its text, not below its sign', () => {
    const output = createAgentOutput();
    output.append('parser', '⏺ Bash(npm test -- --run test/invoices.test.ts)');
    const [line] = output.read()?.lines ?? [];
    const rows = line ? rowsOf(line.line, 30).map((row) => row.map(({ text }) => text).join('')) : [];
    expect(rows.map((row) => row.trimEnd())).toEqual([
      '⏺ Bash(npm test -- --run',
      '  test/invoices.test.ts)',
    ]);
  });
});
