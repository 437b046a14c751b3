import { Box, Text } from 'ink';
import { useMemo } from 'react';
import type { Mark } from '../../events/descriptor.ts';
import type { HistoryIndex } from '../../workflow/history/history-index.ts';
import { fit } from '../../lib/text/cells.ts';
import { clockTime, dayAndTime } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { colors } from '../terminal/theme.ts';
import type { Past } from './past.ts';

/** Rows that it takes. */
export const PAST_BAR_ROWS = 2;
/** Cells that what an event says has to have for it to be of use. */
const LEAST_TEXT = 16;

/** How marks look on the line: what a person looks for first. */
const looks = {
  failure: { sign: '✗', color: colors.bad },
  question: { sign: '?', color: colors.question },
  approval: { sign: '?', color: colors.question },
  answer: { sign: '!', color: colors.ok },
  attempt: { sign: '▸', color: colors.focus },
  task: { sign: '·', color: colors.focus },
  steered: { sign: '·', color: '' },
  sprint: { sign: '■', color: colors.focus },
} as const satisfies Record<Mark, { sign: string; color: string }>;
const foundLook = { sign: '◆', color: colors.literal } as const;
const nothingLook = { sign: '─', color: '' } as const;

/** Where in the past the screen is: the event and its time, and a line of the whole history with what matters in it. */
export function PastBar({ past, width }: { past: Past; width: number }) {
  const { moment, isPlaying, speed, marked } = past;
  const { version, length, title, text } = moment;
  const playing = isPlaying ? `▶ ${speed}×  ` : '';
  const heads = whenTexts(past.moment).map((when) => ` ◀ ${playing}event ${version} of ${length}${when}  `);
  // What happened is worth more than the day, and than how long after the event before.
  const least = title.length + 2 + Math.min(text.length, LEAST_TEXT);
  const head = heads.find((each) => each.length + least <= width) ?? heads.at(-1) ?? '';
  return (
    <Box flexDirection="column" width={width}>
      <Text wrap="truncate">
        <Text bold inverse color={colors.focus}>
          {head}
        </Text>
        {` ${title} `}
        <Text dimColor>{fit(text, Math.max(0, width - head.length - title.length - 3))}</Text>
      </Text>
      <ScrubLine
        index={past.index}
        version={version}
        marked={marked}
        found={past.found?.versions ?? none}
        isSifted={past.isSifted}
        width={width}
      />
    </Box>
  );
}

const none: readonly number[] = [];

/** When it happened: in full, and with less and less of it. */
function whenTexts({ at, afterMs }: Past['moment']): string[] {
  const time = new Date(at).toISOString();
  const [clock, after] = [` · ${clockTime(time)}`, ` · +${duration(afterMs)}`];
  return [` · ${dayAndTime(time)}${after}`, clock + after, clock];
}

type ScrubLineProps = {
  readonly index: HistoryIndex;
  readonly version: number;
  readonly marked: number | undefined;
  /** Versions that were looked for. */
  readonly found: readonly number[];
  /** Nothing else is of interest. */
  readonly isSifted: boolean;
  readonly width: number;
};

/** The history from its first event to its last: one cell for each, or for as many as have to share it. */
function ScrubLine({ index, version, marked, found, isSifted, width }: ScrubLineProps) {
  const cells = Math.max(1, width - 2);
  const { length } = index;
  const here = cellIn(version, cells, length);
  // However long the history is, it is looked through once, and not at each key.
  const marks = useMemo(() => marksIn(index, cells, length), [index, cells, length]);
  const hits = useMemo(() => new Set(found.map((at) => cellIn(at, cells, length))), [found, cells, length]);
  const there = marked === undefined ? -1 : cellIn(marked, cells, length);
  return (
    <Text wrap="truncate">
      {' '}
      {Array.from({ length: cells }, (_, cell) => {
        const mark = isSifted ? undefined : marks[cell];
        const { sign, color } = hits.has(cell) ? foundLook : mark ? looks[mark] : nothingLook;
        const shown = cell === there ? 'd' : sign;
        return (
          <Text
            key={cell}
            inverse={cell === here}
            dimColor={sign === nothingLook.sign && cell !== here}
            {...(color ? { color } : {})}
          >
            {cell === here && sign === nothingLook.sign && cell !== there ? '┃' : shown}
          </Text>
        );
      })}
    </Text>
  );
}

/** The cell of an event, where the whole history has so many cells. */
function cellIn(version: number, cells: number, length: number): number {
  return Math.min(cells - 1, Math.floor(((version - 1) * cells) / length));
}

/** What stands out in each cell of a line of so many. */
function marksIn(index: HistoryIndex, cells: number, length: number): readonly (Mark | undefined)[] {
  // The first version whose place is in a cell, or behind it.
  const firstOf = (cell: number) => Math.ceil((cell * length) / cells) + 1;
  return Array.from({ length: cells }, (_, cell) => index.loudestIn(firstOf(cell), firstOf(cell + 1) - 1));
}
