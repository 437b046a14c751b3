import type { SentCall } from '../../../api/question.ts';
import { Exact } from '../../parts/agent-text.tsx';

type Line = SentCall['changes'][number]['lines'][number];

const signs = { added: '+', removed: '−', kept: ' ' } as const;
const words = { added: 'added', removed: 'removed', kept: '' } as const;

/** What a call would make of a file, line by line. */
export function FileChange({
  change: { path, isEdit, lines },
}: {
  readonly change: SentCall['changes'][number];
}) {
  const count = (is: Line['is']) => lines.filter((line) => line.is === is).length;
  return (
    <figure className="diff">
      <figcaption>
        <span className="label">{isEdit ? 'Changes' : 'Writes'}</span>{' '}
        <span className="mono">
          <Exact text={path} />
        </span>
        <span className="diff-count number">
          {isEdit ? (
            <>
              <span className="tone-good">+{count('added')}</span>{' '}
              <span className="tone-bad">−{count('removed')}</span>
            </>
          ) : (
            `${lines.length} lines, whole`
          )}
        </span>
      </figcaption>
      <DiffLines lines={lines} />
    </figure>
  );
}

/** A unified diff, or words. */
export function UnifiedDiff({ text }: { readonly text: string }) {
  const lines = text.split('\n').map((line): Line => {
    const isName = /^(?:---|\+\+\+) /.test(line);
    const is = isName ? 'kept' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'kept';
    return { is, text: is === 'kept' ? line : line.slice(1) };
  });
  return (
    <figure className="diff">
      <DiffLines lines={lines} />
    </figure>
  );
}

/** Deepest that a line goes on below its beginning, in characters. */
const DEEPEST = 12;

/** What does not fit on a line goes on a little further in than it begins. */
function hangingBy(text: string) {
  const characters = Math.min(DEEPEST, text.length - text.trimStart().length) + 2;
  return { paddingLeft: `${characters}ch`, textIndent: `-${characters}ch` };
}

function DiffLines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <div className="diff-lines" tabIndex={0} role="group" aria-label="Lines">
      {lines.map(({ is, text }, at) => (
        <div key={at} className={`diff-line ${is}`}>
          <span className="diff-sign" aria-hidden="true">
            {signs[is]}
          </span>
          <span className="unseen">{words[is]}</span>
          <span className="diff-text" style={hangingBy(text)}>
            <Exact text={text} />
          </span>
        </div>
      ))}
    </div>
  );
}
