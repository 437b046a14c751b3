import { Box, Text } from 'ink';
import { stopText } from '../screen/remarks.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Stands on a terminal that cannot show what keys would do: how large it has to be, and the way out. */
export function TooSmall({ way, columns, rows }: { way: string; columns: number; rows: number }) {
  return (
    <Box width="100%" height={rows} overflow="hidden" flexDirection="column">
      <Whole>Terminal too small</Whole>
      <Whole isDim>{`${columns}×${rows}, needs 40×10`}</Whole>
      <Whole>{way}</Whole>
    </Box>
  );
}

/** It keeps its rows where not all of them fit: what would be drawn over another could not be read. */
function Whole({ isDim = false, children }: { isDim?: boolean; children: string }) {
  return (
    <Box flexShrink={0}>
      <Text dimColor={isDim}>{children}</Text>
    </Box>
  );
}

/** The way out of the screen of a sprint. */
export function wayOut(state: ScreenState): string {
  const { focus, isStopping, isOwner } = state;
  if (isStopping) return 'Stopping. Ctrl+C ends all at once';
  if (focus.at === 'stop') return stopText({ ...state, focus: { ...focus, key: 'Ctrl-C' } });
  return isOwner ? 'Ctrl+C stops' : 'Ctrl+C leaves';
}
