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

it.each([40, 78, 200])(
  'has why a task failed in rows of their own, in the colour of the word, in %i cells',
  (width) => {
    const failed = { ...aTask({ id: 'form', state: 'done', detail: 'failed', attempt: 1 }), workedMs: 81 };
    const task = { ...failed, lastFailure: 'the agent exited with code 3: cannot find module webauthn' };
    const sprint = aSprint({ state: 'done', detail: 'failed' });
    const rows = summaryRows(aSummary({ tasks: [task] }), { sprint, titles: new Map(), width });
    const why = rows.slice(rows.findIndex(({ text }) => text.startsWith('✗ failed')) + 1);
    const told = why.filter(({ color }) => color === 'red');
    expect(told.map(({ text }) => text.trim()).join(' ')).toBe(task.lastFailure);
    expect(told.every(({ text, head }) => head === text.length)).toBe(true);
  },
);
