import type { SentQuestion } from '../../../api/question.ts';
import { lookOfCommandRisk, OPEN } from '../../../../views/calls/command-risk.ts';
import { Exact, ExactPath } from '../../parts/agent-text.tsx';
import { CodeLines } from '../../parts/code-lines.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { Tone } from '../../parts/state-sign.tsx';

type Parts = NonNullable<SentQuestion['command']>;
type Part = Parts['parts'][number];

type CommandProps = {
  /** As it would be typed; `undefined`: it stands in several arguments, which are shown by themselves. */
  readonly line: string | undefined;
  /** `undefined`: nobody has taken it apart. */
  readonly parts: Parts | undefined;
};

/** The command that a call runs; its parts, where the policy says different things of them. */
export function Command({ line, parts: { parts, writes, doubt } = nothing }: CommandProps) {
  const [only, ...others] = parts;
  const isSplit =
    line === undefined || hasDifferent(parts) || (others.length > 0 && parts.some(({ risks }) => risks));
  return (
    <section className="command" aria-label="The command">
      {line !== undefined && <CodeLines text={line} />}
      {!isSplit && only && <CommandRisks part={only} />}
      {(isSplit || writes.length > 0) && (
        <ol className="command-parts">
          {isSplit &&
            parts.map((part, at) => <PartItem key={at} part={part} isJudged={hasDifferent(parts)} />)}
          {writes.map((path) => (
            <li key={path} className="tone-wait">
              <Icon name="note" />
              <span>
                <span className="command-said">writes</span>{' '}
                <code>
                  <ExactPath path={path} />
                </code>
              </span>
            </li>
          ))}
        </ol>
      )}
      {doubt !== undefined && (
        <Notice tone="wait" icon="warning">
          Not all of it is known: <Exact text={doubt} />
        </Notice>
      )}
    </section>
  );
}

const nothing: Parts = { parts: [], writes: [] };

const verdicts: Readonly<
  Record<Part['decision'], { readonly tone: Tone; readonly icon: IconName; readonly word: string }>
> = {
  allow: { tone: 'good', icon: 'check', word: 'allowed' },
  clear: { tone: 'calm', icon: 'next', word: 'nothing against it' },
  confirm: { tone: 'wait', icon: 'ask', word: 'asks' },
  deny: { tone: 'bad', icon: 'close', word: 'denied' },
};

/** Whether the policy says something else of one of them than of the others. */
function hasDifferent([first, ...others]: readonly Part[]): boolean {
  return others.some(({ decision, rule }) => decision !== first?.decision || rule !== first.rule);
}

/** One command of a line, with what the policy says of it, where that is not the same of all. */
function PartItem({ part, isJudged }: { readonly part: Part; readonly isJudged: boolean }) {
  const { text, decision, rule } = part;
  const { tone, icon, word } = isJudged ? verdicts[decision] : verdicts.clear;
  return (
    <li className={`tone-${tone}`}>
      <Icon name={icon} />
      <code>
        <Exact text={text} />
      </code>
      <CommandRisks part={part} />
      {isJudged && (
        <span className="command-said">
          {word}: <Exact text={rule} />
        </span>
      )}
    </li>
  );
}

const riskTones = { high: 'bad', medium: 'wait', low: 'calm' } as const satisfies Record<string, Tone>;

/** What a part does that is not to be overlooked, by a sign and in words. */
function CommandRisks({ part: { risks = [], isOpen } }: { readonly part: Part }) {
  return [
    ...risks.map((risk) => {
      const { word, level } = lookOfCommandRisk(risk);
      return (
        <span key={risk} className={`command-risk tone-${riskTones[level]}`}>
          <Icon name="warning" /> {word}
        </span>
      );
    }),
    isOpen && (
      <span key="open" className="command-said">
        {OPEN}
      </span>
    ),
  ];
}
