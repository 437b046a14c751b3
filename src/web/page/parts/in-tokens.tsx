import type { ReactNode } from 'react';
import { inPieces } from './in-pieces.ts';

/** With more the page would have too many parts: it breaks where the browser likes. In UTF-16 units, as below. */
const LONGEST = 2_000;
/** What is longer does not fit on a line of a phone. */
const LONGEST_TOKEN = 32;
/** What a browser may break in two though there is no space: an option such as `--force`, a path, an address. */
const BREAKABLE = /[^\p{L}\p{N}_\s]/u;

/** A text of which what stands between spaces is not broken where it fits on a line. It is the same text. */
export function inTokens(text: string): ReactNode {
  if (text.length > LONGEST) return inPieces(text);
  return text.split(/(\s+)/).map((part, at) =>
    part.length <= LONGEST_TOKEN && BREAKABLE.test(part) ? (
      <span key={at} className="token">
        {part}
      </span>
    ) : (
      inPieces(part)
    ),
  );
}
