import { Box, Text } from 'ink';
import { memo } from 'react';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import { countsText, type Overview } from '../../views/sprints/overview.ts';
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
          <Text dimColor>{`  ${countsText(overview.rows)}`}</Text>
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
