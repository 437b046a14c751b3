import { clip } from '../../../lib/text/clip.ts';
import { plainMarkdownLine } from '../../../views/text/plain-markdown.ts';
import { AgentLine } from '../parts/agent-text.tsx';

/** A question of a form that has to be answered, and is not: its position, from 0. */
export type Missing = { readonly at: number; readonly title: string | undefined };

type MissingHintProps = {
  readonly missing: readonly Missing[];
  /** Leads to the question at a position. */
  readonly onGo: (at: number) => void;
};

/** So many are named. */
const MOST_NAMED = 3;
/** So much of a title, in UTF-16 units. */
const TITLE_LENGTH = 40;

/** Says which questions still have to be answered, and leads to the first: by the id `missing-hint`. */
export function MissingHint({ missing, onGo }: MissingHintProps) {
  const [first] = missing;
  const named = missing.slice(0, MOST_NAMED);
  const left = missing.length - named.length;
  return (
    <span id="missing-hint" className="missing-hint">
      {first && (
        <button type="button" className="button plain" onClick={() => onGo(first.at)}>
          {missing.length} left
          {/* Their names would push away what stands beside it. */}
          <span className="unseen">
            {': '}
            {named.map(({ at, title = '' }, place) => (
              <span key={at}>
                {place > 0 && ', '}
                {at + 1} <AgentLine text={clip(plainMarkdownLine(title), TITLE_LENGTH)} />
              </span>
            ))}
            {left > 0 && ` and ${left} more`}
          </span>
        </button>
      )}
    </span>
  );
}
