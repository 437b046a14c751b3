import { Box, Text } from 'ink';
import type { TaskOutput } from '../text/agent-output.ts';
import { outputRows } from '../text/output-rows.ts';
import { colors } from '../screen/theme.ts';

type OutputPaneProps = {
  readonly output: TaskOutput | undefined;
  /** Number of the line behind the last to show; `undefined`: follow. */
  readonly end: number | undefined;
  readonly width: number;
  readonly rows: number;
};

/** What an agent wrote: the rows that fit. The text has to be clean already. */
export function OutputPane({ output, end, width, rows }: OutputPaneProps) {
  if (!output) return <Text dimColor>{' No output yet'}</Text>;
  const isBack = end !== undefined;
  const shown = outputRows(output, { end, width: width - 2, height: isBack ? rows - 1 : rows });
  return (
    <Box flexDirection="column" paddingX={1} width={width} height={rows} overflow="hidden">
      <Text wrap="truncate">{shown.rows.map((row) => (row === '' ? ' ' : row)).join('\n')}</Text>
      {isBack && <Text color={colors.warning}>{`▼ ${shown.newer} newer`}</Text>}
    </Box>
  );
}
