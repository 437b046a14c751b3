import { Box, Text } from 'ink';
import { memo } from 'react';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { count } from '../../lib/text/count.ts';
import { useHasRunner, useSince } from '../screen/clock.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenView } from '../../views/sprint-view.ts';
import { colors, lookOf } from '../screen/theme.ts';

const NO_RUNNER = 'no runner at work';
/** Cells between two parts of the line. */
const GAP = 2;
/** Cells for how long ago something happened: `last event 59 min ago`. */
const EVENT_WIDTH = 21;
/** Cells that are no room for what is open: at both ends, before and around it, and for the state and how the name begins. */
const KEPT_WIDTH = 2 + GAP + 4 + 16;

type HeaderProps = {
  readonly sprint: ScreenView;
  readonly columns: number;
  /** It is a moment of the past. */
  readonly isStill?: boolean;
};

/** The first line: how the sprint stands, and whether someone is needed. */
export const Header = memo(function Header({ sprint, columns, isStill = false }: HeaderProps) {
  const { mark, word, color } = lookOf(sprint);
  const isOutside = sprint.id === ADHOC_STREAM;
  return (
    <Box justifyContent="space-between" paddingX={1} gap={GAP} width={columns}>
      <Box flexShrink={1}>
        <Text wrap="truncate">
          {!isOutside && <Text bold {...(color ? { color } : {})}>{`${mark} ${word}  `}</Text>}
          <Text bold>{stripAgentLine(sprint.name)}</Text>
          <Text
            dimColor
          >{`  ${isOutside ? 'what is asked outside of any sprint' : countsOf(sprint, columns)}`}</Text>
        </Text>
      </Box>
      <Box flexShrink={0} gap={GAP}>
        {/* When all is over, no clock has to tick. */}
        {isStill || sprint.state === 'done' ? (
          <Open open={sprint.open} room={columns - KEPT_WIDTH} />
        ) : (
          <Signs sprint={sprint} columns={columns} isOutside={isOutside} />
        )}
      </Box>
    </Box>
  );
});

/** What waits for a human, and whether the sprint moves: nobody runs it, or how long ago something happened. */
function Signs({
  sprint: { open, lastEventAt },
  columns,
  isOutside,
}: {
  sprint: ScreenView;
  columns: number;
  isOutside: boolean;
}) {
  const isLeft = !useHasRunner() && !isOutside;
  const isTold = !isLeft && columns >= 60;
  const taken = isLeft ? NO_RUNNER.length + GAP : isTold ? EVENT_WIDTH + GAP : 0;
  return (
    <>
      <Open open={open} room={columns - KEPT_WIDTH - taken} />
      {isLeft && <Text color={colors.question}>{NO_RUNNER}</Text>}
      {isTold && <LastEvent at={lastEventAt} />}
    </>
  );
}

function Open({ open, room }: { open: ScreenView['open']; room: number }) {
  if (open.length === 0) return undefined;
  return (
    <Text bold inverse color={colors.question}>
      {` ? ${openText(open, room)} `}
    </Text>
  );
}

function LastEvent({ at }: { at: string | undefined }) {
  const since = useSince(at);
  return <Text dimColor>{since === '' ? 'no event yet' : `last event ${since} ago`}</Text>;
}

/** What waits for a human: `1 question, 2 approvals`, and `3 open` where that is too long. */
function openText(open: ScreenView['open'], room: number): string {
  const approvals = open.filter(({ approval }) => approval !== undefined).length;
  const parts = [
    ...(open.length > approvals ? [count(open.length - approvals, 'question')] : []),
    ...(approvals > 0 ? [count(approvals, 'approval')] : []),
  ];
  const text = parts.join(', ');
  return cellsOf(text) <= room || parts.length === 1 ? text : `${open.length} open`;
}

/** `1 of 3 done`, and on a wide screen the rest. */
function countsOf({ tasks }: ScreenView, columns: number): string {
  const byWord = Map.groupBy(tasks, (task) => lookOf(task).word);
  const done = `${byWord.get('done')?.length ?? 0} of ${tasks.length} done`;
  if (columns < 100) return done;
  const others = [...byWord]
    .filter(([word]) => word !== 'done')
    .map(([word, { length }]) => `${length} ${word}`);
  return [done, ...others].join(' · ');
}
