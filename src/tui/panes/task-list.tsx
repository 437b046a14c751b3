import { Box, Text } from 'ink';
import { memo } from 'react';
import type { TaskView } from '../../views/describe-sprint.ts';
import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import { useSince, useUntil } from '../screen/clock.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { setAsideText } from '../../views/set-aside-text.ts';
import { colors, lookOf, WORD_WIDTH } from '../screen/theme.ts';
import { visibleSlice } from '../text/visible-slice.ts';

type TaskListProps = {
  readonly tasks: readonly TaskView[];
  /** Id of the task that has to be in sight. */
  readonly focus: string | undefined;
  readonly width: number;
  readonly rows: number;
};

/** Cells for the mark, the word and the blanks around them. */
const FIXED_WIDTH = 1 + 2 + WORD_WIDTH + 1;

/** Less of a reason says nothing, in cells. */
const SHORTEST_REASON = 8;

/** The tasks of a sprint, one per line. */
export const TaskList = memo(function TaskList({ tasks, focus, width, rows }: TaskListProps) {
  if (tasks.length === 0) return <Text dimColor>{' No tasks'}</Text>;
  const { items, above, below } = visibleSlice(tasks, rows, ({ id }) => id === focus);
  return (
    <Box flexDirection="column" width={width} height={rows} overflow="hidden">
      {above > 0 && <Text dimColor>{` ↑ ${above} more`}</Text>}
      {items.map((task) => (
        <TaskLine key={task.id} task={task} width={width} isFocused={task.id === focus} />
      ))}
      {below > 0 && <Text dimColor>{` ↓ ${below} more`}</Text>}
    </Box>
  );
});

function TaskLine({ task, width, isFocused }: { task: TaskView; width: number; isFocused: boolean }) {
  const { mark, word, color } = lookOf(task);
  const id = stripAgentLine(task.id);
  const { parkedSince, blockedSince, waitedMs } = task;
  const since = useSince(blockedSince, waitedMs);
  const parked = useSince(parkedSince);
  const until = useUntil(task.limitedUntil);
  const waits = waitTexts(since, until, parked);
  const remark = remarkOf(task, waits, width - FIXED_WIDTH - cellsOf(id) - 2);
  return (
    <Text wrap="truncate">
      <Text {...(color ? { color } : {})} dimColor={task.state === 'pending'}>
        {`${isFocused ? '›' : ' '}${mark} ${word.padEnd(WORD_WIDTH)} `}
      </Text>
      <Text bold={isFocused} dimColor={task.state === 'pending'}>
        {fill(id, width - FIXED_WIDTH - cellsOf(remark) - 1)}
      </Text>
      <Text {...(waits.length === 0 ? { dimColor: true } : { color: colors.question })}>{remark}</Text>
    </Text>
  );
}

/** What it waits for, the fullest text first. Empty: for nothing. */
function waitTexts(since: string, until: string, parked: string): readonly string[] {
  if (parked !== '') return [`parked ${parked}`, parked];
  if (until !== '') return [`limit until ${until}`, `limit ${until}`, until];
  return since === '' ? [] : [`waits ${since}`, since];
}

/** Attempt and what it waits for, as much of them as there is room for beside the id. */
function remarkOf(task: TaskView, waits: readonly string[], room: number): string {
  const attempt = attemptOf(task);
  if (task.waitsFor.length > 0) return waitsForText(task, room);
  if (task.setAside) return room < SHORTEST_REASON ? '' : fit(setAsideText(task.setAside), room);
  if (waits.length === 0) return attempt.length <= room ? attempt : '';
  const beside = waits.map((wait) => (attempt === '' ? wait : `${attempt} · ${wait}`));
  return [...beside, ...waits].find((text) => text.length <= room) ?? '';
}

/** `waits for schema`, or of how many, as much as there is room for. */
function waitsForText({ waitsFor }: TaskView, room: number): string {
  const named = `waits for ${waitsFor.map(stripAgentLine).join(', ')}`;
  const texts = [named, `waits for ${waitsFor.length}`];
  return texts.find((text) => cellsOf(text) <= room) ?? '';
}

/** `2/3`: the second of three attempts. Those that Clifford ended itself do not count against them. */
function attemptOf({ attempt, maxAttempts }: TaskView): string {
  if (attempt === 0 || (attempt === 1 && maxAttempts === 1)) return '';
  return attempt <= maxAttempts ? `${attempt}/${maxAttempts}` : `#${attempt}`;
}
