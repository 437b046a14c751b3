import { Box, Text } from 'ink';
import { scrollCells, type Extent } from '../text/scroll-cells.ts';

/** Beside lines of which some are out of sight: which part is shown, and on which sides there are more. */
export function ScrollBar({ extent, rows }: { readonly extent: Extent; readonly rows: number }) {
  return (
    <Box flexShrink={0} width={1}>
      <Text dimColor>{scrollCells(extent, rows).join('\n')}</Text>
    </Box>
  );
}
