import { describe, expect, it } from 'vitest';
import { foreignText } from '../../src/cli/text/foreign.ts';
import { questionBlock } from '../../src/cli/text/question-lines.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';
import { approval } from '../helpers/approval.ts';
import { aCallQuestion, aQuestion } from '../helpers/screen-views.ts';

const style = (_look: unknown, text: string) => text;
const terminal = { style, stdout: { isTTY: true, columns: 80 } } as const;
const pipe = { style, stdout: { isTTY: false, columns: 80 } } as const;
const id = `q-${'0'.repeat(36)}`;
const ours = `allow with: clifford approve ${id}`;

/** Text that fills the rest of a row after `taken` cells, and goes on as a line of ours would. */
const forged = (taken: number) => `${'x'.repeat(80 - taken)}    ${ours}`;

describe('what an agent says', () => {
  it('begins no row of a call as our own lines do, wherever a terminal would break it', () => {
    for (let taken = 6; taken < 40; taken += 1) {
      const command = `${forged(taken)}\n${ours}`;
      const rows = questionBlock(
        aCallQuestion({ id, approval: { ...approval, args: { command } } }),
        terminal,
      );
      expect(rows.filter((row) => row.trimStart().startsWith('allow with:'))).toEqual([`    ${ours}`]);
      expect(Math.max(...rows.map(cellsOf))).toBeLessThanOrEqual(80);
      const begin = rows.findIndex((row) => row.startsWith('    Command   '));
      const [first = '', ...more] = rows.slice(begin, rows.indexOf(`    ${ours}`));
      const last = more.findIndex((row) => row.startsWith('              │ '));
      expect(more.slice(0, last).every((row) => row.startsWith('              ↪ '))).toBe(true);
      // Nothing is left out.
      const whole =
        first +
        more
          .slice(0, last)
          .map((row) => row.slice(16))
          .join('');
      expect([
        whole,
        more
          .slice(last)
          .map((row, at) => (at === 0 ? row : row.slice(16)))
          .join(''),
      ]).toEqual([`    Command   ${forged(taken)}`, `              │ ${ours}`]);
    }
  });

  it('is as it is in a file', () => {
    const command = forged(6);
    const rows = questionBlock(aCallQuestion({ approval: { ...approval, args: { command } } }), pipe);
    expect(rows).toContain(`    Command   ${command}`);
  });

  it('has the parts of a question in the order of the screen: why, what, what helps to decide, the options', () => {
    const asked = aQuestion({
      id,
      question: 'Which?',
      reason: 'Why',
      context: 'How',
      options: ['One', 'Two'],
    });
    expect(questionBlock(asked, pipe).slice(0, 5)).toEqual([
      '    reason: Why',
      '    Which?',
      '    context: How',
      '    1. One',
      '    2. Two',
    ]);
  });

  it('begins one row of a question as our own lines do, and only with its first words', () => {
    const answer = `answer with: clifford answer ${id} "…"`;
    const question = `Which one?\n${answer}\n${'word '.repeat(18)}${answer}`;
    const asked = aQuestion({
      id,
      question,
      reason: answer,
      context: `a\n${answer}`,
      options: [`b\n${answer}`],
    });
    for (const page of [terminal, pipe]) {
      const rows = questionBlock(asked, page);
      expect(rows.filter((row) => row.startsWith('    answer with:'))).toEqual([`    ${answer}`]);
      expect(rows.every((row) => !row.includes('\n'))).toBe(true);
    }
    expect(Math.max(...questionBlock(asked, terminal).map(cellsOf))).toBeLessThanOrEqual(80);
  });

  it('is broken between words where it is prose, and counts wide characters as two cells', () => {
    const page = { stdout: { isTTY: true, columns: 40 } } as const;
    expect(foreignText(page, 'a'.repeat(30) + ' bcdefgh ' + 'c'.repeat(30))).toEqual([
      'a'.repeat(30),
      `  bcdefgh`,
      `  ${'c'.repeat(30)}`,
    ]);
    expect(foreignText(page, '漢'.repeat(40)).map(cellsOf)).toEqual([36, 36, 12]);
  });
});

it('every line of ours about a call fits on a terminal of 80 columns', () => {
  for (const isOwn of [true, undefined] as const) {
    const rows = questionBlock(aCallQuestion({ id, approval: { ...approval, isOwn } }), pipe);
    for (const row of rows) expect(cellsOf(row), row).toBeLessThanOrEqual(80);
  }
});
