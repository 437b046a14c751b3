import { memo } from 'react';
import type { OwnStyle } from '../../../lib/text/own-style.ts';
import { outputParts, type OutputPart } from '../../../views/text/output-parts.ts';
import type { CallEnding, OutputKind } from '../../../views/text/output-kinds.ts';
import { toneOf } from '../parts/state-sign.tsx';
import { inPieces } from '../parts/in-pieces.ts';

type OutputLineProps = {
  readonly raw: string;
  /** What lines before it have set. */
  readonly before: OwnStyle | undefined;
  readonly kind: OutputKind;
  /** Of a call: how it ended, how long it took, and why it failed, where that is known. */
  readonly word: CallEnding['word'] | undefined;
  readonly took: string | undefined;
  readonly why: string | undefined;
};

/** A line that an agent wrote, in its colours, without anything that could hide or reorder text. */
export const OutputLine = memo(function OutputLine(props: OutputLineProps) {
  const { raw, before, kind, word, took, why } = props;
  const parts = outputParts(raw, before);
  return (
    <div className={`output-line is-${kind}`}>
      <span className="output-text">
        <Parts parts={parts} />
        {parts.every(({ text }) => text === '') && '\u00A0'}
      </span>
      {word !== undefined && (
        <span className={`output-end number tone-${toneOf(word)}`}>
          {word}
          {took !== undefined && ` · ${took}`}
        </span>
      )}
      {why !== undefined && (
        <span className="output-why">
          <Parts parts={outputParts(why, undefined)} />
        </span>
      )}
    </div>
  );
});

function Parts({ parts }: { readonly parts: readonly OutputPart[] }) {
  return parts.map((part, at) => (
    <span key={at} className={classOf(part)}>
      {inPieces(part.text)}
    </span>
  ));
}

/** The classes that draw it; `undefined`: it is as the rest. */
function classOf({ style, own }: OutputPart): string | undefined {
  if (own === undefined) return style === 'plain' ? undefined : `ansi-${style}`;
  const { color, bold, dim, italic, underline } = own;
  const names = Object.entries({ bold, dim, italic, underline }).flatMap(([name, is]) => (is ? [name] : []));
  return [...names, ...(color === undefined ? [] : [color])].map((name) => `ansi-${name}`).join(' ');
}
