import { Box, Text } from 'ink';
import { stopText } from './remarks.ts';
import type { ScreenState } from './screen-state.ts';

/** Stands on a terminal that cannot show what keys would do: how large it has to be, and the way out. */
export function TooSmall({ state, columns, rows }: { state: ScreenState; columns: number; rows: number }) {
  const { focus, isStopping, isOwner } = state;
  const way = isOwner ? 'Ctrl+C stops' : 'Ctrl+C leaves';
  const asked = focus.at === 'stop' ? stopText({ ...state, focus: { ...focus, key: 'Ctrl-C' } }) : way;
  return (
    <Box width="100%" height={rows} overflow="hidden" flexDirection="column">
      <Text>Terminal too small</Text>
      <Text dimColor>{`${columns}×${rows}, needs 40×10`}</Text>
      <Text>{isStopping ? 'Stopping. Ctrl+C ends all at once' : asked}</Text>
    </Box>
  );
}
