import { Text } from 'ink';
import { Fragment, useContext } from 'react';
import { SpanBar, type Cursor } from './list-row.tsx';
import { DiffLookContext } from '../terminal/diff-look-context.ts';
import { diffLooks } from '../terminal/diff-look.ts';
import { colors, ownLook } from '../terminal/theme.ts';
import type { WindowRow } from '../text/pane-window.ts';
import type { Span } from '../text/spans.ts';

/** Lines of differences look as the terminal can show them. */
type DiffStyle = 'added line' | 'removed line' | 'added word' | 'removed word';

const styles = {
  plain: {},
  dim: { dimColor: true },
  bold: { bold: true },
  italic: { italic: true },
  heading: { bold: true, underline: true },
  code: { color: colors.ok },
  name: { color: colors.focus },
  text: { color: colors.ok },
  literal: { color: colors.literal },
  lit: { bold: true, inverse: true },
  added: { color: colors.ok },
  removed: { color: colors.bad },
  warning: { color: colors.warning, bold: true },
  danger: { color: colors.bad, bold: true },
  chosen: { color: colors.focus, bold: true },
} as const satisfies Record<Exclude<Span['style'], DiffStyle>, object>;

/** A row of text that looks different in parts. `barWidth`: it is a bar of so many cells, where keys move. */
export function SpanRow({ spans, barWidth }: { spans: readonly Span[]; barWidth?: number | undefined }) {
  if (barWidth !== undefined) return <SpanBar spans={spans} width={barWidth} />;
  return (
    <Text wrap="truncate">
      <Spans spans={spans} />
    </Text>
  );
}

type SpanRowsProps = {
  readonly rows: readonly WindowRow[];
  /** What the row is to the keys that is picked; `none`: rows have no cell for that. */
  readonly cursor: Cursor;
  readonly width: number;
};

/** Many rows, as one text: a box for each would have to be laid out. */
export function SpanRows({ rows, cursor, width }: SpanRowsProps) {
  return (
    <Text wrap="truncate">
      {rows.map(({ spans, isPicked }, at) => (
        <Fragment key={at}>
          {at > 0 && '\n'}
          {isPicked && cursor === 'here' ? (
            <SpanBar spans={[mark, ...spans]} width={width} />
          ) : (
            <>
              {cursor !== 'none' && <Text color={colors.focus}>{isPicked ? mark.text : '  '}</Text>}
              <Text bold={isPicked}>
                <Spans spans={spans} />
              </Text>
            </>
          )}
        </Fragment>
      ))}
    </Text>
  );
}

const mark: Span = { text: '› ', style: 'plain' };

function Spans({ spans }: { spans: readonly Span[] }) {
  const { added, removed, addedWord, removedWord } = diffLooks[useContext(DiffLookContext)];
  const looks = {
    ...styles,
    'added line': added,
    'removed line': removed,
    'added word': addedWord,
    'removed word': removedWord,
  };
  // A row without anything would take no room.
  if (spans.length === 0 || (spans.length === 1 && spans[0]?.text === '')) return ' ';
  return spans.map(({ text, style, own }, at) =>
    style === 'plain' && !own ? (
      text
    ) : (
      <Text key={at} {...looks[style]} {...(own && ownLook(own))}>
        {text}
      </Text>
    ),
  );
}
