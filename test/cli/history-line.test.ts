import { describe, expect, it } from 'vitest';
import { historyLine } from '../../src/cli/text/history-line.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';
import { History, on } from '../helpers/history.ts';

const plain = (_style: unknown, text: string) => text;
const question = 'Which of these many words should be the default, 日本語 or something else? '.repeat(4);

function lineOf(columns: number | undefined): string {
  const { events } = new History(on('demo', 'sprint.created', { name: question }));
  const [event] = events;
  if (!event) throw new Error('no event');
  const after = { sprint: 'active.running', task: 'blocked.question' };
  return historyLine(event, after, { taskColumns: 10, columns, style: plain, asked: undefined });
}

describe('historyLine', () => {
  it.each([140, 120, 100, 80, 60])('fits into a terminal of %i columns', (columns) => {
    const widths = lineOf(columns).split('\n').map(cellsOf);
    // The states need 76: what is narrower wraps them, never the text.
    expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(columns, 76));
    expect(widths.at(-1)).toBeLessThanOrEqual(Math.max(columns, 76));
  });

  it('keeps one line where there is room, and gives the text its own where there is none', () => {
    expect(lineOf(140).split('\n')).toHaveLength(1);
    const [states, text] = lineOf(100).split('\n');
    expect(states).toMatch(/ sprint\.created +blocked\.question active\.running$/);
    expect(text).toMatch(/^ {5}Which of these .*…$/);
  });

  it('cuts nothing in a file', () => {
    expect(lineOf(undefined)).toContain(question.trim().replaceAll(/\s+/g, ' '));
  });
});
