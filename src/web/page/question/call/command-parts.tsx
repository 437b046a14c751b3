import type { SentQuestion } from '../../../api/question.ts';
import { lookOfCommandRisk } from '../../../../views/command-risk.ts';
import { sharedRule } from '../../../../views/asking-rule.ts';
import { Exact } from '../../parts/agent-text.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { Tone } from '../../parts/state-sign.tsx';

const riskTones = { high: 'bad', medium: 'wait', low: 'calm' } as const satisfies Record<string, Tone>;

/** What a part does that is not to be overlooked. */
function CommandRisk({ risk }: { readonly risk: NonNullable<Parts['parts'][number]['risks']>[number] }) {
  const { word, level } = lookOfCommandRisk(risk);
  return (
    <span className={`command-risk tone-${riskTones[level]}`}>
      <Icon name="warning" /> {word}
    </span>
  );
}

type Parts = NonNullable<SentQuestion['command']>;

const verdicts: Readonly<
  Record<
    Parts['parts'][number]['decision'],
    { readonly tone: Tone; readonly icon: IconName; readonly word: string }
  >
> = {
  allow: { tone: 'good', icon: 'check', word: 'allowed' },
  clear: { tone: 'calm', icon: 'next', word: 'nothing against it' },
  confirm: { tone: 'wait', icon: 'ask', word: 'asks' },
  deny: { tone: 'bad', icon: 'close', word: 'refused' },
};

/** Each command of a line, with what the policy says of it. */
export function CommandParts({ command: { parts, writes, doubt } }: { readonly command: Parts }) {
  const shared = sharedRule(parts);
  return (
    <section aria-label="The command, taken apart">
      <p className="label">What it runs</p>
      <ol className="command-parts">
        {parts.map(({ text, decision, rule, risks = [] }, at) => {
          const { tone, icon, word } = verdicts[decision];
          return (
            <li key={at} className={`tone-${tone}`}>
              <Icon name={icon} />
              <code>
                <Exact text={text} />
              </code>
              {risks.map((risk) => (
                <CommandRisk key={risk} risk={risk} />
              ))}
              <span className="command-said">
                {word}
                {!(decision === 'confirm' && shared !== undefined) && (
                  <>
                    : <Exact text={rule} />
                  </>
                )}
              </span>
            </li>
          );
        })}
        {writes.map((path) => (
          <li key={path} className="tone-wait">
            <Icon name="note" />
            <code>
              <Exact text={path} />
            </code>
            <span className="command-said">is written</span>
          </li>
        ))}
      </ol>
      {shared !== undefined && (
        <p className="command-said">
          What asks now is <Exact text={shared} />
        </p>
      )}
      {doubt !== undefined && (
        <Notice tone="wait" icon="warning">
          Not all of it is known: <Exact text={doubt} />
        </Notice>
      )}
    </section>
  );
}
