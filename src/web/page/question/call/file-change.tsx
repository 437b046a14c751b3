import { changeSizeOf, changeWords } from '../../../../views/changes/change-size.ts';
import { diffRows } from '../../../../views/changes/diff-rows.ts';
import { foldedStretches } from '../../../../views/changes/folded-lines.ts';
import type { SentChange } from '../../../api/question.ts';
import { DiffLines, DiffPlace } from '../../changes/diff-lines.tsx';
import { ExactPath } from '../../parts/agent-text.tsx';

/** What a call would make of a file, line by line. */
export function FileChange({ change }: { readonly change: SentChange }) {
  const { path, how, lines, places = [], firstLine } = change;
  const size = changeSizeOf(change);
  const first = how === 'edit' ? firstLine : 1;
  const rows = diffRows(lines, first === undefined ? undefined : { before: first, after: first });
  // What an agent only says to be there already is read as what it adds.
  const stretches = firstLine === undefined ? [{ isFolded: false, lines: rows }] : foldedStretches(rows);
  return (
    <figure className="diff">
      <figcaption>
        <span className="label">{changeWords[how]}</span>{' '}
        <span className="mono">
          <ExactPath path={path} />
        </span>
        <span className="diff-count number">
          {size.lines && (
            <>
              <span className="tone-good">+{size.lines.added}</span>{' '}
              <span className="tone-bad">−{size.lines.removed}</span>{' '}
            </>
          )}
          {size.said}
        </span>
      </figcaption>
      {places.map((place, at) => (
        <DiffPlace key={at} text={place} />
      ))}
      {lines.length > 0 && <DiffLines stretches={stretches} />}
    </figure>
  );
}
