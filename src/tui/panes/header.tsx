import { Box, Text } from 'ink';
import { memo } from 'react';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { count } from '../../lib/text/count.ts';
import { useHasRunner, useSince } from '../screen/clock.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { ScreenView } from '../../views/sprint-view.ts';
import { colors, lookOf } from '../screen/theme.ts';

/** The first line: how the sprint stands, and whether someone is needed. */
export const Header = memo(function Header({ sprint, columns }: { sprint: ScreenView; columns: number }) {
  const { mark, word, color } = lookOf(sprint);
  const questions = sprint.open.length;
  const isOutside = sprint.id === ADHOC_STREAM;
  return (
    <Box justifyContent="space-between" paddingX={1} gap={2} width={columns}>
      <Box flexShrink={1}>
        <Text wrap="truncate">
          {!isOutside && <Text bold {...(color ? { color } : {})}>{`${mark} ${word}  `}</Text>}
          <Text bold>{stripAgentLine(sprint.name)}</Text>
          <Text
            dimColor
          >{`  ${isOutside ? 'what is asked outside of any sprint' : countsOf(sprint, columns)}`}</Text>
        </Text>
      </Box>
      <Box flexShrink={0} gap={2}>
        {questions > 0 && (
          <Text bold inverse color={colors.question}>
            {` ? ${count(questions, 'question')} `}
          </Text>
        )}
        {/* When all is over, no clock has to tick. */}
        {sprint.state !== 'done' && <Pulse at={sprint.lastEventAt} columns={columns} isOutside={isOutside} />}
      </Box>
    </Box>
  );
});

/** Whether the sprint moves: nobody runs it, or how long ago something happened. */
function Pulse({ at, columns, isOutside }: { at: string | undefined; columns: number; isOutside: boolean }) {
  const hasRunner = useHasRunner();
  if (!hasRunner && !isOutside) return <Text color={colors.question}>no runner at work</Text>;
  return columns >= 60 ? <LastEvent at={at} /> : undefined;
}

function LastEvent({ at }: { at: string | undefined }) {
  const since = useSince(at);
  return <Text dimColor>{since === '' ? 'no event yet' : `last event ${since} ago`}</Text>;
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
