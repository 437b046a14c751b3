import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { taskCells, taskColumns } from '../../../src/tui/text/task-columns.ts';
import { listWidthOf } from '../../../src/tui/text/list-width.ts';
import { taskItem } from '../../../src/views/sprints/task-items.ts';
import { aTask, now } from '../../helpers/screen-views.ts';

const title = 'Value added tax by country, with its exemptions';
const ran = { name: 'claude-code', model: 'claude-opus-4-5', startedAt: '', endedAt: '' };
const titles = new Map(['docs', 'pdf', 'tax-rules'].map((id) => [id, title]));
const tasks = [...titles.keys()].map((id) =>
  aTask({ id, state: 'done', detail: 'completed', workedMs: 60_000, ran }),
);

describe('the width that a list of tasks can use', () => {
  it('is enough for whole titles beside the agent and its model', () => {
    const items = tasks.map((task) => taskItem(task, { now, titles, hasRunner: true, isQueued: false }));
    // Before the ids there are a cursor, a sign and a word, and a blank behind all.
    const width = listWidthOf(tasks, titles) - 14;
    const columns = taskColumns(items, width);
    for (const item of items) {
      const { about, facts } = taskCells(item, columns);
      expect(about.trim()).toBe(title);
      expect(facts).toMatch(/claude-code +claude-opus-4-5/);
    }
  });

  it('is as wide as ids and titles are, without the few ids that are much longer than the others', () => {
    const width = (ids: readonly string[]) =>
      listWidthOf(
        ids.map((id) => aTask({ id })),
        new Map(),
      );
    expect(width(['docs', 'pdf', 'form', 'api', 'a'.repeat(30)])).toBe(width(['docs', 'pdf', 'form', 'api']));
    expect(width(['a'.repeat(30)]) - width(['a'])).toBe(cellsOf('a'.repeat(29)));
    expect(width(['a']) - width([])).toBe(cellsOf('a'));
  });
});
