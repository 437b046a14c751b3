import { cellsOf } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import { WORD_WIDTH } from '../terminal/theme.ts';

/** Cells for the cursor, the sign, blanks between columns, and one at the right end. */
const AROUND = 9;
/** `12 min 4 s`, the number of an attempt, and `$0.82`. */
const TIMES = 18;
/** Longer ids and titles do not make the list wider. */
const MOST = { id: 32, title: 60 };

/** Of so many tasks, the first. */
const LOOKED_AT = 500;

/** How wide a list of these tasks has to be to show their ids, titles and times: it does not change while they go on. */
export function listWidthOf(
  tasks: readonly Pick<TaskView, 'id'>[],
  titles: ReadonlyMap<string, string>,
): number {
  const some = tasks.slice(0, LOOKED_AT);
  const widest = (most: number, of: (id: string) => string) =>
    some.reduce((cells, { id }) => Math.max(cells, Math.min(most, cellsOf(visibleLine(of(id))))), 0);
  const ids = widest(MOST.id, (id) => id);
  return AROUND + WORD_WIDTH + ids + widest(MOST.title, (id) => titles.get(id) ?? '') + TIMES;
}
