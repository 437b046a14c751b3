import { Box } from 'ink';
import { Fragment, type ReactNode } from 'react';
import { Rule } from './rule.tsx';

/** Rows that stand in place of everything else: so many of them fit, and so many are out of sight. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly height: number; readonly max: number };

/** These rows, on so many of a screen. */
export function pageOf<Row>(rows: readonly Row[], height: number): Page<Row> {
  return { rows, height, max: Math.max(0, rows.length - height) };
}

type PagePaneProps<Row> = {
  readonly title: string;
  readonly page: Page<Row>;
  /** Rows above the first that is shown, where there are so many below it. */
  readonly top: number;
  readonly width: number;
  /** Stands in the rule in place of the part that is shown. */
  readonly note?: string | undefined;
  readonly children: (row: Row) => ReactNode;
};

/** A page, below a rule that says which part of it is shown. */
export function PagePane<Row>({ title, page, top, width, note, children }: PagePaneProps<Row>) {
  const { rows, height, max } = page;
  const first = Math.min(top, max);
  const end = Math.min(first + height, rows.length);
  const part = max > 0 ? `lines ${first + 1}–${end} of ${rows.length}` : undefined;
  return (
    <Box flexDirection="column">
      <Rule width={width} title={title} note={note ?? part} />
      <Box flexDirection="column" height={height} overflow="hidden" paddingX={1}>
        {rows.slice(first, end).map((row, at) => (
          <Fragment key={first + at}>{children(row)}</Fragment>
        ))}
      </Box>
    </Box>
  );
}
