import { memo } from 'react';
import type { OwnStyle } from '../../../lib/text/own-style.ts';
import { outputParts, type OutputPart } from '../../../views/text/output-parts.ts';
import { inPieces } from '../parts/in-pieces.ts';

type OutputLineProps = {
  readonly raw: string;
  /** What lines before it have set. */
  readonly before: OwnStyle | undefined;
};

/** A line that an agent wrote, in its colours, without anything that could hide or reorder text. */
export const OutputLine = memo(function OutputLine({ raw, before }: OutputLineProps) {
  const parts = outputParts(raw, before);
  return (
    <div className="output-line">
      {parts.map((part, at) => (
        <span key={at} className={classOf(part)}>
          {inPieces(part.text)}
        </span>
      ))}
      {parts.every(({ text }) => text === '') && '\u00A0'}
    </div>
  );
});

/** The classes that draw it; `undefined`: it is as the rest. */
function classOf({ style, own }: OutputPart): string | undefined {
  if (own === undefined) return style === 'plain' ? undefined : `ansi-${style}`;
  const { color, bold, dim, italic, underline } = own;
  const names = Object.entries({ bold, dim, italic, underline }).flatMap(([name, is]) => (is ? [name] : []));
  return [...names, ...(color === undefined ? [] : [color])].map((name) => `ansi-${name}`).join(' ');
}
