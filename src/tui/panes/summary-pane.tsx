import { Box, Text } from 'ink';
import type { SummaryRow } from '../text/summary-rows.ts';
import { Rule } from './rule.tsx';

type SummaryPaneProps = {
  readonly rows: readonly SummaryRow[];
  /** Rows above the first that is shown. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** How a run ended, in place of the tasks and what they show. */
export function SummaryPane({ rows, top, width, height }: SummaryPaneProps) {
  const end = Math.min(top + height, rows.length);
  const note = rows.length > height ? `lines ${top + 1}–${end} of ${rows.length}` : undefined;
  return (
    <Box flexDirection="column">
      <Rule width={width} title="Summary" note={note} />
      <Box flexDirection="column" height={height} overflow="hidden" paddingX={1}>
        {rows.slice(top, end).map(({ text, color }, at) => (
          <Text key={top + at} wrap="truncate" {...(color ? { color } : {})}>
            {text === '' ? ' ' : text}
          </Text>
        ))}
      </Box>
    </Box>
  );
}
