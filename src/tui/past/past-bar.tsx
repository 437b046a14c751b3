import { Box, Text } from 'ink';
import { useMemo } from 'react';
import type { Mark } from '../../events/descriptor.ts';
import type { HistoryIndex } from '../../workflow/history/history-index.ts';
import { fit } from '../../lib/text/cells.ts';
import { calendarDay, clockTime } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { colors } from '../screen/theme.ts';
import type { Past } from './past.ts';

/** Rows that it takes. */
export const PAST_BAR_ROWS = 2;

/** How marks look on the line: what a person looks for first. */
const looks = {
  failure: { sign: '✗', color: colors.bad },
  question: { sign: '?', color: colors.question },
  approval: { sign: '?', color: colors.question },
  answer: { sign: '!', color: colors.ok },
  attempt: { sign: '▸', color: colors.focus },
  task: { sign: '·', color: colors.focus },
  sprint: { sign: '■', color: colors.focus },
} as const satisfies Record<Mark, { sign: string; color: string }>;

/** Where in the past the screen is: the event and its time, and a line of the whole history with what matters in it. */
export function PastBar({ past, width }: { past: Past; width: number }) {
  const { moment, isPlaying, speed, marked } = past;
  const { version, length, at, afterMs, type, text } = moment;
  const time = new Date(at).toISOString();
  const playing = isPlaying ? `▶ ${speed}×  ` : '';
  const when = `event ${version} of ${length} · ${calendarDay(time)} ${clockTime(time)} · +${duration(afterMs)}`;
  const head = ` ◀ ${playing}${when}  `;
  return (
    <Box flexDirection="column" width={width}>
      <Text wrap="truncate">
        <Text bold inverse color={colors.focus}>
          {head}
        </Text>
        {` ${type} `}
        <Text dimColor>{fit(text, Math.max(0, width - head.length - type.length - 3))}</Text>
      </Text>
      <ScrubLine index={past.index} version={version} marked={marked} width={width} />
    </Box>
  );
}

type ScrubLineProps = {
  readonly index: HistoryIndex;
  readonly version: number;
  readonly marked: number | undefined;
  readonly width: number;
};

/** The history from its first event to its last: one cell for each, or for as many as have to share it. */
function ScrubLine({ index, version, marked, width }: ScrubLineProps) {
  const cells = Math.max(1, width - 2);
  const cellOf = (at: number) => Math.min(cells - 1, Math.floor(((at - 1) * cells) / index.length));
  const here = cellOf(version);
  const { length } = index;
  // However long the history is, it is looked through once, and not at each key.
  const marks = useMemo(() => marksIn(index, cells, length), [index, cells, length]);
  const there = marked === undefined ? -1 : cellOf(marked);
  return (
    <Text wrap="truncate">
      {' '}
      {Array.from({ length: cells }, (_, cell) => {
        const mark = marks[cell];
        const { sign, color } = mark ? looks[mark] : { sign: '─', color: '' };
        const shown = cell === there ? 'd' : sign;
        return (
          <Text
            key={cell}
            inverse={cell === here}
            dimColor={!mark && cell !== here}
            {...(color ? { color } : {})}
          >
            {cell === here && !mark && cell !== there ? '┃' : shown}
          </Text>
        );
      })}
    </Text>
  );
}

/** What stands out in each cell of a line of so many. */
function marksIn(index: HistoryIndex, cells: number, length: number): readonly (Mark | undefined)[] {
  // The first version whose place is in a cell, or behind it.
  const firstOf = (cell: number) => Math.ceil((cell * length) / cells) + 1;
  return Array.from({ length: cells }, (_, cell) => index.loudestIn(firstOf(cell), firstOf(cell + 1) - 1));
}
