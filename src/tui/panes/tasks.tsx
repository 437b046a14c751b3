import { Box } from 'ink';
import { Rule } from './rule.tsx';
import { listedTasks, taskFilter } from '../screen/browsing.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { useMouseArea } from '../mouse/mouse-areas.ts';
import { positionText, visibleSlice } from '../text/visible-slice.ts';
import { TaskList } from './task-list.tsx';

type TasksProps = {
  readonly state: ScreenState;
  /** Id of the task that is shown beside it. */
  readonly task: string | undefined;
  /** Keys move in it. */
  readonly hasKeys: boolean;
  /** That is marked above it. */
  readonly isMarked: boolean;
  readonly width: number;
  readonly rows: number;
};

/** The list of tasks, and above it the line that says which part of it is shown. */
export function Tasks({ state, task, hasKeys, isMarked, width, rows }: TasksProps) {
  const tasks = listedTasks(state);
  const position = positionText(tasks, rows, ({ id }) => id === task);
  const { items: shown } = visibleSlice(tasks, rows, ({ id }) => id === task);
  // Below the line above them.
  const ref = useMouseArea('tasks', ({ row }) => shown[row - 1]?.id);
  return (
    <Box ref={ref} flexDirection="column" flexShrink={0} width={width}>
      <Rule
        width={width}
        title={titleOf(state)}
        note={noteOf(state, tasks.length, position)}
        isFocused={isMarked}
      />
      <TaskList
        tasks={tasks}
        titles={state.titles}
        focus={task}
        cursor={hasKeys ? 'here' : 'elsewhere'}
        width={width}
        rows={rows}
        isQueued={state.sprint.queuedAt !== undefined}
        empty={state.sprint.tasks.length > 0 ? 'No task has this in it' : 'No tasks recorded yet'}
      />
    </Box>
  );
}

/** With what is typed to find some of them. */
function titleOf(state: ScreenState): string {
  const { text, cursor } = taskFilter(state);
  const isTyped = state.focus.at === 'filter' && state.browsing.area !== 'detail';
  if (isTyped) return `Tasks /${text.slice(0, cursor)}▏${text.slice(cursor)}`;
  return text === '' ? 'Tasks' : `Tasks /${text}`;
}

function noteOf({ sprint }: ScreenState, listed: number, position: string): string | undefined {
  const all = sprint.tasks.length;
  if (position !== '') return position;
  return listed < all ? `${listed} of ${all}` : undefined;
}
