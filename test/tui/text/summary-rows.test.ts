import { expect, it } from 'vitest';
import { summaryRows } from '../../../src/tui/text/summary-rows.ts';
import { aSprint, aSummary, aTask } from '../../helpers/screen-views.ts';

it.each([58, 60, 78])('has no blank row below a task whose title is cut, in %i cells', (width) => {
  const tasks = ['module', 'program'].map((id) => ({
    ...aTask({ id, state: 'done', detail: 'completed', attempt: 1 }),
    workedMs: 2_100,
  }));
  const titles = new Map([
    ['module', 'The module that has a title that is far too long for its column'],
    ['program', 'x'],
  ]);
  const summary = aSummary({ workedMs: 4_200, attempts: 2, tasks });
  const sprint = aSprint({ state: 'done', detail: 'completed' });
  const rows = summaryRows(summary, { sprint, titles, width }).map(({ text }) => text);
  const table = rows.slice(rows.findIndex((row) => row.includes('Attempts  Worked')));
  expect(table.map((row) => row.slice(2, 12).trim())).toEqual(['', 'done', 'done']);
});
