import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useMouseArea, type ItemAt, type MousePart } from '../mouse/mouse-areas.ts';
import { colors } from '../terminal/theme.ts';

/** Words of an agent, marked as such by a bar: what stands right of it is theirs. */
export function BarPane(props: {
  readonly width: number;
  readonly rows: number;
  readonly children: ReactNode;
  /** It waits for nobody any more. */
  readonly isPast?: boolean;
  /** What the mouse does there. Default: it moves the words. */
  readonly part?: MousePart;
  readonly itemAt?: ItemAt;
}) {
  const ref = useMouseArea(props.part ?? 'question', props.itemAt);
  return (
    <Box
      ref={ref}
      borderStyle="bold"
      borderColor={props.isPast === true ? colors.faint : colors.question}
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
