import { Box, Text } from 'ink';
import { memo } from 'react';
import { cellsOf, fill } from '../../lib/text/cells.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { SprintRow } from '../../views/overview.ts';
import { colors, lookOfWord, WORD_WIDTH } from '../screen/theme.ts';
import { ProgressBar } from '../panes/progress-bar.tsx';
import { visibleSlice } from '../text/visible-slice.ts';
import { CursorMark, type Cursor } from './cursor-mark.tsx';
import { runTexts } from './run-text.ts';

type SprintListProps = {
  readonly rows: readonly SprintRow[];
  /** Id of the sprint that the cursor is on. */
  readonly picked: string | undefined;
  readonly cursor: Cursor;
  readonly width: number;
  readonly height: number;
  /** Stands there while there are none. */
  readonly empty: string;
};

/** Cells of the cursor, the mark, the word and the blanks around them. */
const STATE_WIDTH = 1 + 2 + WORD_WIDTH + 1;
const BAR_CELLS = 8;
/** `no runner`. */
const LEAST_RUN = 9;
/** Narrower, a line has no bar. */
const LEAST_WITH_BAR = 76;

/** The sprints, one per line. */
export const SprintList = memo(function SprintList({
  rows,
  picked,
  cursor,
  width,
  height,
  empty,
}: SprintListProps) {
  if (rows.length === 0) return <Text dimColor wrap="truncate">{` ${empty}`}</Text>;
  const { items } = visibleSlice(rows, height, ({ sprint }) => sprint.id === picked);
  const counts = Math.max(...items.map((row) => countOf(row).length));
  const waits = Math.max(...items.map((row) => waitsOf(row).length));
  const room = width - STATE_WIDTH - counts - waits - 3 - (width < LEAST_WITH_BAR ? 0 : BAR_CELLS + 1);
  const names = Math.max(...items.map((row) => cellsOf(nameOf(row))));
  const nameWidth = Math.max(8, Math.min(names, room - LEAST_RUN));
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {items.map((row) => (
        <SprintLine
          key={row.sprint.id}
          row={row}
          cursor={row.sprint.id === picked ? cursor : 'none'}
          widths={{ name: nameWidth, count: counts, waits, rest: Math.max(0, room - nameWidth) }}
          hasBar={width >= LEAST_WITH_BAR}
        />
      ))}
    </Box>
  );
});

type SprintLineProps = {
  readonly row: SprintRow;
  readonly cursor: Cursor;
  readonly widths: Readonly<Record<'name' | 'count' | 'waits' | 'rest', number>>;
  readonly hasBar: boolean;
};

function SprintLine({ row, cursor, widths, hasBar }: SprintLineProps) {
  const { sprint, runs } = row;
  const { mark, word, color } = lookOfWord(sprint.word);
  const isOutside = runs.is === 'outside';
  const texts = runTexts(runs);
  const runText = texts.find((text) => cellsOf(text) <= widths.rest) ?? '';
  const state = isOutside ? ' '.repeat(STATE_WIDTH - 2) : `${mark} ${word.padEnd(WORD_WIDTH)}`;
  return (
    <Text wrap="truncate">
      <CursorMark cursor={cursor} />
      <Text {...(color && !isOutside ? { color } : {})} dimColor={sprint.state === 'pending'}>
        {`${state} `}
      </Text>
      <Text bold={cursor === 'here'} dimColor={runs.is === 'over'}>
        {fill(nameOf(row), widths.name)}
      </Text>
      {hasBar && ' '}
      {hasBar && <ProgressBar tasks={sprint.tasks} cells={BAR_CELLS} />}
      <Text dimColor={runs.is === 'over'}>{` ${countOf(row).padStart(widths.count)} `}</Text>
      <Text bold color={colors.question}>
        {waitsOf(row).padEnd(widths.waits)}
      </Text>
      <Text {...toneOf(row)}>{` ${runText}`}</Text>
    </Text>
  );
}

function nameOf({ sprint, runs }: SprintRow): string {
  return runs.is === 'outside' ? 'outside of sprints' : stripAgentLine(sprint.name);
}

function countOf({ done, total }: SprintRow): string {
  return total === 0 ? '' : `${done}/${total}`;
}

function waitsOf({ waiting }: SprintRow): string {
  return waiting.length === 0 ? '' : `?${waiting.length}`;
}

function toneOf({ runs }: SprintRow): { color?: string; dimColor?: boolean } {
  if (runs.is === 'deserted' || runs.is === 'paused') return { color: colors.warning };
  if (runs.is === 'unusable') return { color: colors.bad };
  return runs.is === 'running' ? {} : { dimColor: true };
}
