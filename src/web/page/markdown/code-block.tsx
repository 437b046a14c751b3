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

/** With the signs of its lines, of which one of a merge has several. */
function DiffText({ text }: { readonly text: string }) {
  return unifiedLines(text).map(({ is, text: line }, at) => (
    <span key={at} className={`patch-line ${is}`}>
      {inPieces(line)}
      {'\n'}
    </span>
  ));
}
