import { Text } from 'ink';
import { colors } from '../screen/theme.ts';

/** Where keys move; on a wide screen also where the other list stands, of which more is said below. */
export type Cursor = 'here' | 'elsewhere' | 'none';

/** The cell in front of a line of a list. */
export function CursorMark({ cursor }: { cursor: Cursor }) {
  if (cursor === 'none') return ' ';
  return cursor === 'here' ? <Text color={colors.focus}>›</Text> : <Text dimColor>›</Text>;
}
