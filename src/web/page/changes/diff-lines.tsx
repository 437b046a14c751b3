import { useRef, useState } from 'react';
import { count } from '../../../lib/text/count.ts';
import type { DiffRow } from '../../../views/changes/diff-rows.ts';
import type { Stretch } from '../../../views/changes/folded-lines.ts';
import { patchRows } from '../../../views/changes/patch-rows.ts';
import { Exact, ExactPieces } from '../parts/agent-text.tsx';

const signs = { added: '+', removed: '−', kept: ' ' } as const;
const words = { added: 'added', removed: 'removed', kept: '' } as const;

/** The lines of a unified diff, each hunk below where it stands; or words. */
export function PatchLines({ text }: { readonly text: string }) {
  return patchRows(text).map(({ head, rows }, at) => (
    <div key={at}>
      {head !== undefined && <DiffPlace text={head} />}
      <DiffLines stretches={[{ isFolded: false, lines: rows }]} />
    </div>
  ));
}

/** Where in its file the lines below it are, as a diff says it. */
export function DiffPlace({ text }: { readonly text: string }) {
  return (
    <p className="diff-place">
      <Exact text={text} />
    </p>
  );
}

/** What is wanted of a browser here: a report is drawn without one, and without its types. */
type Focusable = { readonly focus: (options: { readonly preventScroll: boolean }) => void };

/** Lines of a change, with their numbers; what is folded is shown when somebody wants to see it. */
export function DiffLines({ stretches }: { readonly stretches: readonly Stretch<DiffRow>[] }) {
  const group = useRef<HTMLDivElement & Focusable>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const open = (at: number) => {
    setOpened(new Set([...opened, at]));
    // What was pressed is gone then.
    group.current?.focus({ preventScroll: true });
  };
  const rows = stretches.flatMap((stretch) => stretch.lines);
  const { before = 0, after = 0 } = lastNumbers(rows);
  const digits = String(Math.max(before, after)).length;
  const sides = (['before', 'after'] as const).filter((side) => rows.some((row) => row[side] !== undefined));
  return (
    <div ref={group} className="diff-lines" tabIndex={-1} role="group" aria-label="Lines">
      {stretches.map((stretch, at) =>
        stretch.isFolded && !opened.has(at) ? (
          <button key={at} type="button" className="diff-fold" onClick={() => open(at)}>
            {count(stretch.lines.length, 'line')} as in the file
          </button>
        ) : (
          stretch.lines.map((row, line) => <DiffLine key={`${at} ${line}`} {...{ row, sides, digits }} />)
        ),
      )}
    </div>
  );
}

/** They rise from row to row. */
function lastNumbers(rows: readonly DiffRow[]): { before: number | undefined; after: number | undefined } {
  return {
    before: rows.findLast((row) => row.before !== undefined)?.before,
    after: rows.findLast((row) => row.after !== undefined)?.after,
  };
}

type DiffLineProps = {
  readonly row: DiffRow;
  readonly sides: readonly ('before' | 'after')[];
  /** Of the largest number. */
  readonly digits: number;
};

function DiffLine({ row, sides, digits }: DiffLineProps) {
  const { is, text, pieces } = row;
  return (
    <div className={`diff-line ${is}`}>
      {sides.map((side) => (
        <span
          key={side}
          className={`diff-number number ${side}`}
          style={{ minWidth: `${digits}ch` }}
          aria-hidden="true"
        >
          {row[side]}
        </span>
      ))}
      <span className="diff-sign" aria-hidden="true">
        {signs[is]}
      </span>
      <span className="unseen">{words[is]}</span>
      <span className="diff-text" style={hangingBy(text)}>
        <ExactPieces pieces={pieces} />
      </span>
    </div>
  );
}

/** Deepest that a line goes on below its beginning, in characters. */
const DEEPEST = 12;

/** What does not fit on a line goes on a little further in than it begins. */
function hangingBy(text: string) {
  const characters = Math.min(DEEPEST, text.length - text.trimStart().length) + 2;
  return { paddingLeft: `${characters}ch`, textIndent: `-${characters}ch` };
}
