import { Text } from 'ink';
import { createContext, useContext, type ReactNode } from 'react';
import { cellsOf } from '../../lib/text/cells.ts';
import { colors } from '../terminal/theme.ts';
import type { Span } from '../text/spans.ts';

/** What a line of a list is to the keys: where they move, what is shown of a list that they do not move in, or neither. */
export type Cursor = 'here' | 'elsewhere' | 'none';

const InBar = createContext(false);

type ListRowProps = {
  readonly cursor: Cursor;
  /** Cells of the list. */
  readonly width: number;
  /** Cells of what stands in it, without the cursor. */
  readonly cells: number;
  readonly children: ReactNode;
};

/** A line of a list, behind a cell for the cursor. Where keys move it is a {@link Bar}. */
export function ListRow({ cursor, width, cells, children }: ListRowProps) {
  if (cursor === 'here')
    return (
      <Bar width={width} cells={1 + cells}>
        ›{children}
      </Bar>
    );
  return (
    <Text wrap="truncate">
      {cursor === 'none' ? ' ' : <Text color={colors.focus}>›</Text>}
      {children}
    </Text>
  );
}

/**
 * The picked line of a list, from edge to edge, in the colours of the terminal turned round: it is seen in each theme, and without
 * colours. `cells`: of what stands in it.
 */
function Bar({
  width,
  cells,
  children,
}: {
  readonly width: number;
  readonly cells: number;
  readonly children: ReactNode;
}) {
  return (
    <InBar value={true}>
      <Text wrap="truncate" inverse>
        {children}
        {' '.repeat(Math.max(0, width - cells))}
      </Text>
    </InBar>
  );
}

/** A bar with the text of these. */
export function SpanBar({ spans, width }: { readonly spans: readonly Span[]; readonly width: number }) {
  const text = spans.map((span) => span.text).join('');
  return (
    <Bar width={width} cells={cellsOf(text)}>
      {text}
    </Bar>
  );
}

type PartProps = {
  readonly color?: string | undefined;
  readonly dim?: boolean;
  readonly bold?: boolean;
  readonly children: ReactNode;
};

/** A part of a line of a list. In a bar, which is of one colour, it has none of its own. */
export function Part({ color, dim = false, bold = false, children }: PartProps) {
  const isInBar = useContext(InBar);
  if (isInBar) return <Text bold={bold}>{children}</Text>;
  return (
    <Text {...(color === undefined ? {} : { color })} dimColor={dim} bold={bold}>
      {children}
    </Text>
  );
}
