import { Box, Text } from 'ink';
import { memo } from 'react';
import { count } from '../../lib/text/count.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { sprintsIn, type Overview } from '../../views/sprints/overview.ts';
import { waitsText } from '../../views/requests/waits-text.ts';
import { colors } from '../terminal/theme.ts';

type OverviewHeaderProps = {
  readonly overview: Overview;
  /** Its name. */
  readonly project: string;
  readonly columns: number;
};

/** The first line: which project it is, how many sprints stand how, and whether someone is needed. */
export const OverviewHeader = memo(function OverviewHeader({
  overview,
  project,
  columns,
}: OverviewHeaderProps) {
  const waiting = overview.inbox.length;
  return (
    <Box justifyContent="space-between" paddingX={1} gap={2} width={columns}>
      <Box flexShrink={1}>
        <Text wrap="truncate">
          <Text bold>{stripAgentLine(project)}</Text>
          <Text dimColor>{`  ${countsOf(overview)}`}</Text>
        </Text>
      </Box>
      <Box flexShrink={0}>
        {waiting > 0 && (
          <Text bold inverse color={colors.question}>
            {` ? ${waitsText(waiting)} for you `}
          </Text>
        )}
      </Box>
    </Box>
  );
});

/** `3 sprints: 1 blocked · 2 done`. */
function countsOf({ rows }: Overview): string {
  const sprints = sprintsIn(rows);
  const byWord = Map.groupBy(sprints, ({ sprint }) => sprint.word);
  const parts = [...byWord].map(([word, { length }]) => `${length} ${word}`);
  return [count(sprints.length, 'sprint'), ...(parts.length === 0 ? [] : [parts.join(' · ')])].join(': ');
}
