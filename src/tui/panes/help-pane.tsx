import { Box } from 'ink';
import type { Span } from '../text/spans.ts';
import { Rule } from './rule.tsx';
import { SpanRow } from './span-row.tsx';

type HelpPaneProps = {
  readonly rows: readonly (readonly Span[])[];
  /** Rows above the first that is shown. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** The keys there are, in place of everything else. */
export function HelpPane({ rows, top, width, height }: HelpPaneProps) {
  const end = Math.min(top + height, rows.length);
  const note = rows.length > height ? `lines ${top + 1}–${end} of ${rows.length}` : undefined;
  return (
    <Box flexDirection="column">
      <Rule width={width} title="Keys" note={note} />
      <Box flexDirection="column" height={height} overflow="hidden" paddingX={1}>
        {rows.slice(top, end).map((spans, at) => (
          <SpanRow key={top + at} spans={spans} />
        ))}
      </Box>
    </Box>
  );
}
