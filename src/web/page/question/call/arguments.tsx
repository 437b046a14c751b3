import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { showHidden } from '../../../../lib/text/hidden-characters.ts';
import { Exact } from '../../parts/agent-text.tsx';
import { inPieces } from '../../parts/in-pieces.ts';

type ArgumentsProps = {
  readonly args: unknown;
  /** Texts of several lines that are shown elsewhere, line by line. */
  readonly shownElsewhere: ReadonlySet<string>;
};

/** The arguments of a call, each whole: nothing of them is seen only by whoever runs it. */
export function Arguments({ args, shownElsewhere }: ArgumentsProps) {
  if (!isJsonObject(args)) return <Value value={args} shownElsewhere={shownElsewhere} />;
  const entries = Object.entries(args);
  if (entries.length === 0) return <p className="muted">Without arguments</p>;
  return (
    <dl className="arguments">
      {entries.map(([name, value]) => (
        <div key={name} className={isShort(value) ? 'argument is-short' : 'argument'}>
          <dt>
            <Exact text={name} />
          </dt>
          <dd>
            <Value value={value} shownElsewhere={shownElsewhere} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({
  value,
  shownElsewhere,
}: {
  readonly value: unknown;
  readonly shownElsewhere: ReadonlySet<string>;
}) {
  if (typeof value === 'string' && value.includes('\n') && shownElsewhere.has(value))
    return <span className="muted">the text above, {value.length.toLocaleString('en')} characters</span>;
  if (isShort(value)) return <Exact text={typeof value === 'string' ? value : JSON.stringify(value)} />;
  if (typeof value === 'string')
    return (
      <pre>
        {value.split('\n').map((line, at) => (
          <span key={at} className="code-line">
            <Exact text={line} />
          </span>
        ))}
      </pre>
    );
  return <pre>{inPieces(showHidden(JSON.stringify(value, null, 2) ?? ''))}</pre>;
}

/** Longest text that has a place beside its name, in UTF-16 units. */
const SHORT = 40;

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= SHORT && value !== '' && !value.includes('\n');
  return typeof value !== 'object' || value === null;
}
