import { Box, Text } from 'ink';
import { memo, useMemo } from 'react';
import { cellsOf } from '../../lib/text/cells.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import { isTimed, taskItem, type TaskItem } from '../../views/sprints/task-items.ts';
import { useHasRunner, useTimed } from '../terminal/clock.ts';
import { colors, lookOfWord, WORD_WIDTH } from '../terminal/theme.ts';
import { cutsTitles, taskCells, taskColumns, type TaskColumns } from '../text/task-columns.ts';
import { ListRow, Part, type Cursor } from './list-row.tsx';
import { visibleSlice } from '../text/visible-slice.ts';

type TaskListProps = {
  readonly tasks: readonly TaskView[];
  /** First headings of their files, by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Id of the task that has to be in sight. */
  readonly focus: string | undefined;
  /** What its line is to the keys. */
  readonly cursor: Cursor;
  readonly width: number;
  readonly rows: number;
  /** The sprint waits in the queue for a worker. */
  readonly isQueued: boolean;
  /** Stands there where there are none. */
  readonly empty: string;
};

/** Cells for the cursor, the mark, the blank behind the word, and one at the right end. */
const FIXED_WIDTH = 1 + 2 + 1 + 1;

/** The tasks of a sprint, one per line: as much of each as there is room for. */
export const TaskList = memo(function TaskList(props: TaskListProps) {
  const { tasks, titles, focus, cursor, width, rows, isQueued, empty } = props;
  const hasRunner = useHasRunner();
  const { items: shown } = useMemo(
    () => visibleSlice(tasks, rows, ({ id }) => id === focus),
    [tasks, rows, focus],
  );
  const items = useTimed(shown.some(isTimed), (now) =>
    shown.map((task) => taskItem(task, { now, titles, hasRunner, isQueued })),
  );
  if (tasks.length === 0)
    return (
      <Box width={width} height={rows}>
        <Text dimColor wrap="truncate">{` ${empty}`}</Text>
      </Box>
    );
  const { word, columns } = divide(items, width - FIXED_WIDTH);
  return (
    <Box flexDirection="column" width={width} height={rows} overflow="hidden">
      {items.map((item) => (
        <TaskLine
          key={item.id}
          item={item}
          word={word}
          columns={columns}
          cursor={item.id === focus ? cursor : 'none'}
          width={width}
        />
      ))}
    </Box>
  );
});

/** In a list of fewer cells, ids need all that there is. */
const ROOMY = 40;

/** Titles that would be cut, and ids in a narrow list, have what the words for states can do without. */
function divide(items: readonly TaskItem[], width: number): { word: number; columns: TaskColumns } {
  const columns = taskColumns(items, width - WORD_WIDTH);
  const cutsIds = width < ROOMY && items.some(({ id }) => cellsOf(id) > columns.id);
  if (!cutsIds && !cutsTitles(items, columns)) return { word: WORD_WIDTH, columns };
  const word = Math.max(...items.map((item) => item.word.length));
  return { word, columns: taskColumns(items, width - word) };
}

type TaskLineProps = {
  readonly item: TaskItem;
  /** Cells of the word for its state. */
  readonly word: number;
  readonly columns: TaskColumns;
  readonly cursor: Cursor;
  readonly width: number;
};

const TaskLine = memo(function TaskLine({ item, word, columns, cursor, width }: TaskLineProps) {
  const { mark, color, isFaint = false } = lookOfWord(item.word);
  const { id, about, isNote, facts, time } = taskCells(item, columns);
  const state = `${mark} ${item.word.padEnd(word)} `;
  return (
    <ListRow cursor={cursor} width={width} cells={cellsOf(state + id + about + facts + time)}>
      <Part color={color} dim={isFaint}>
        {state}
      </Part>
      <Part bold={cursor !== 'none'} dim={isFaint}>
        {id}
      </Part>
      <Part color={isNote ? color : undefined} dim={!isNote || isFaint}>
        {about}
      </Part>
      <Part dim>{facts}</Part>
      <Part color={item.isWaiting ? colors.question : undefined} dim={!item.isWaiting}>
        {time}
      </Part>
    </ListRow>
  );
});
