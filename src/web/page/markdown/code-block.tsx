import { isDiff, unifiedLines } from '../../../views/changes/unified-lines.ts';
import { inPieces } from '../parts/in-pieces.ts';

/** Lines of code as they were written; those of a diff say by their ground what is added and what is removed. */
export function CodeBlock({ text, info }: { readonly text: string; readonly info: string }) {
  return (
    <pre tabIndex={0}>
      <code>{isDiff(info) ? <DiffText text={text.replace(/\n$/, '')} /> : inPieces(text)}</code>
    </pre>
  );
}

/** So many lines say by their ground what they are, each an element of its own; those behind them by their signs alone. */
const MOST_LINES = 1_000;

/** With the signs of its lines, of which one of a merge has several. */
function DiffText({ text }: { readonly text: string }) {
  const lines = unifiedLines(text);
  const others = lines.slice(MOST_LINES).map((line) => `${line.text}\n`);
  return (
    <>
      {lines.slice(0, MOST_LINES).map(({ is, text: line }, at) => (
        <span key={at} className={`patch-line ${is}`}>
          {inPieces(line)}
          {'\n'}
        </span>
      ))}
      {others.length > 0 && <span className="patch-line">{inPieces(others.join(''))}</span>}
    </>
  );
}
