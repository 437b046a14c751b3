import { escapeAgentLine } from '../../../lib/text/sanitise.ts';
import { visible, visibleLine } from '../../../lib/text/visible.ts';
import { inPieces } from './in-pieces.ts';
import { inTokens } from './in-tokens.tsx';

type TextProps = { readonly text: string };

/** Words of others on one line, where what could hide or reorder text is to be seen. */
export function AgentLine({ text }: TextProps) {
  return <bdi>{inPieces(visibleLine(text))}</bdi>;
}

/** Words of others, with their lines. */
export function AgentText({ text }: TextProps) {
  return (
    <span className="agent-text">
      <bdi>{inPieces(visible(text))}</bdi>
    </span>
  );
}

/** What a person decides about, character by character: also line breaks are written out. */
export function Exact({ text }: TextProps) {
  return <bdi className="exact">{inTokens(escapeAgentLine(text))}</bdi>;
}

/** A path in the same way: where it does not fit on a line, it breaks behind a folder. */
export function ExactPath({ path }: { readonly path: string }) {
  return (
    <bdi className="exact">
      {escapeAgentLine(path)
        .split(/(?<=\/)/)
        .map((part, at) => (
          <span key={at} className="token">
            {part}
          </span>
        ))}
    </bdi>
  );
}

type PiecesProps = {
  readonly pieces: readonly { readonly text: string; readonly isMarked: boolean }[];
};

/** The same in pieces, of which some are marked. */
export function ExactPieces({ pieces }: PiecesProps) {
  return (
    <bdi className="exact">
      {pieces.map(({ text, isMarked }, at) => {
        const shown = inTokens(escapeAgentLine(text));
        return isMarked ? <mark key={at}>{shown}</mark> : <span key={at}>{shown}</span>;
      })}
    </bdi>
  );
}
