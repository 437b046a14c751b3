import { cellsOf } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import { WORD_WIDTH } from '../terminal/theme.ts';
import { widthOfIds } from './task-columns.ts';

/** Cells for the cursor, the sign, blanks between columns, and one at the right end. */
const AROUND = 9;
/** `12 min 4 s`, the number of an attempt, and `$0.82`. */
const TIMES = 18;
/** Cells between the columns of a list that is wide enough for agents. */
const GAP = 2;
/** Longer texts do not make the list wider. */
const MOST = { id: 32, title: 60, agent: 16, model: 24 };

/** Of so many tasks, the first. */
const LOOKED_AT = 500;

/**
 * How wide a list of these tasks has to be to show their ids, titles and times, and who was at them: it may change when an agent
 * begins, and does not while it goes on.
 */
export function listWidthOf(
  tasks: readonly Pick<TaskView, 'id' | 'ran'>[],
  titles: ReadonlyMap<string, string>,
): number {
  const some = tasks.slice(0, LOOKED_AT);
  const widest = (most: number, of: (task: (typeof some)[number]) => string | undefined, before = 0) => {
    const cells = Math.max(0, ...some.map((task) => cellsOf(visibleLine(of(task) ?? ''))));
    return cells === 0 ? 0 : Math.min(most, cells) + before;
  };
  return (
    AROUND +
    WORD_WIDTH +
    Math.min(MOST.id, widthOfIds(some.map(({ id }) => cellsOf(visibleLine(id))))) +
    widest(MOST.title, ({ id }) => titles.get(id)) +
    widest(MOST.agent, ({ ran }) => ran?.name, GAP) +
    widest(MOST.model, ({ ran }) => ran?.model, GAP) +
    TIMES
  );
}
