import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { showHidden } from '../../../../lib/text/hidden-characters.ts';
import { Exact } from '../../parts/agent-text.tsx';
import { CodeLines } from '../../parts/code-lines.tsx';
import type { SentChange } from '../../../api/question.ts';
import { isAllShown } from './shown-changes.ts';
import { inTokens } from '../../parts/in-tokens.tsx';

type ArgumentsProps = {
  readonly args: unknown;
  /** Texts that are shown above, line by line. */
  readonly shownElsewhere: ReadonlySet<string>;
  /** Changes that are shown above: an argument that lists them, and says nothing else, is left out. */
  readonly changes: readonly SentChange[];
};

/** The arguments of a call, each whole: nothing of them is seen only by whoever runs it. */
export function Arguments({ args, shownElsewhere, changes }: ArgumentsProps) {
  if (!isJsonObject(args)) return <Value value={args} shownElsewhere={shownElsewhere} />;
  const entries = Object.entries(args);
  if (entries.length === 0) return <p className="muted">Without arguments</p>;
  const others = entries.filter(([, value]) => !isAllShown(value, changes));
  if (others.length === 0) return null;
  // Each character of these is above: what is folded away hides nothing.
  const isAgain = ([, value]: Entry) =>
    isAbove(value, shownElsewhere) || changes.some(({ path }) => path === value);
  const again = others.filter(isAgain);
  const list = (entries: readonly Entry[]) => <List entries={entries} shownElsewhere={shownElsewhere} />;
  return (
    <>
      {again.length < others.length && list(others.filter((each) => !isAgain(each)))}
      {again.length > 0 && (
        <details className="arguments-again">
          <summary>
            Shown above: <Exact text={again.map(([name]) => name).join(', ')} />
          </summary>
          {list(again)}
        </details>
      )}
    </>
  );
}

type Entry = readonly [name: string, value: unknown];

type ListProps = { readonly entries: readonly Entry[]; readonly shownElsewhere: ReadonlySet<string> };

function List({ entries, shownElsewhere }: ListProps) {
  return (
    <dl className="arguments">
      {entries.map(([name, value]) => (
        <div
          key={name}
          className={isShort(value) || isAbove(value, shownElsewhere) ? 'argument is-short' : 'argument'}
        >
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

type ValueProps = { readonly value: unknown; readonly shownElsewhere: ReadonlySet<string> };

function Value({ value, shownElsewhere }: ValueProps) {
  if (isAbove(value, shownElsewhere)) return <span className="muted">{aboveText(value)}</span>;
  if (isShort(value)) return <Exact text={typeof value === 'string' ? value : JSON.stringify(value)} />;
  if (typeof value === 'string') return <CodeLines text={value} />;
  const json = JSON.stringify(
    value,
    (_, each: unknown) => (isAbove(each, shownElsewhere) ? `(${aboveText(each)})` : each),
    2,
  );
  return <pre>{inTokens(showHidden(json ?? ''))}</pre>;
}

/** Whether it is a text that is shown above, and long enough to be left out here. */
function isAbove(value: unknown, shownElsewhere: ReadonlySet<string>): value is string {
  return typeof value === 'string' && !isShort(value) && shownElsewhere.has(value);
}

function aboveText({ length }: string): string {
  return `the text above, ${length.toLocaleString('en')} characters`;
}

/** Longest text that has a place beside its name, in UTF-16 units. */
const SHORT = 40;

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= SHORT && value !== '' && !value.includes('\n');
  return typeof value !== 'object' || value === null;
}
