import { Box } from 'ink';
import type { ReactNode } from 'react';
import { colors } from '../screen/theme.ts';

/** Words of an agent, marked as such by a bar: what stands right of it is theirs. */
export function BarPane(props: {
  readonly width: number;
  readonly rows: number;
  readonly children: ReactNode;
}) {
  return (
    <Box
      borderStyle="bold"
      borderColor={colors.question}
      borderTop={false}
      borderRight={false}
      borderBottom={false}
      marginLeft={1}
      paddingLeft={1}
      width={props.width - 1}
      height={props.rows}
      overflow="hidden"
      flexDirection="column"
    >
      {props.children}
    </Box>
  );
}
