import { answerRules } from '../../events/form/answer-rules.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import { viaText } from '../../events/answerer.ts';
import { dayAndTime } from '../../lib/time/clock-text.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import type { Decision } from '../../views/events/decisions.ts';
import type { ReportedCall, ReportedRequest, WholeRequest } from '../../views/requests/reported-request.ts';
import { Markdown, MarkdownLine } from '../page/markdown/markdown.tsx';
import { AgentLine, AgentText, Exact } from '../page/parts/agent-text.tsx';
import { Facts } from '../page/parts/facts.tsx';
import { Icon, type IconName } from '../page/parts/icon.tsx';
import type { Tone } from '../page/parts/state-sign.tsx';
import { Arguments } from '../page/question/call/arguments.tsx';
import { Explanation } from '../page/question/call/explanation.tsx';
import { FileChange } from '../page/question/call/file-change.tsx';
import { textsShown } from '../page/question/call/shown-changes.ts';

type Look = { readonly tone: Tone; readonly icon: IconName };

const looks: Readonly<Record<Decision['outcome'], Look>> = {
  answered: { tone: 'good', icon: 'check' },
  approved: { tone: 'good', icon: 'check' },
  edited: { tone: 'good', icon: 'check' },
  denied: { tone: 'bad', icon: 'close' },
  rejected: { tone: 'bad', icon: 'close' },
  rephrased: { tone: 'wait', icon: 'ask' },
  questioned: { tone: 'wait', icon: 'ask' },
  dismissed: { tone: 'calm', icon: 'close' },
};

/** Something that was asked, with what was said to it; all that was asked stands behind its first line. */
export function AskedItem({ request }: { readonly request: ReportedRequest }) {
  const { id, isCall, title, task, askedAt, decided, waited, risk, isOpen, whole } = request;
  const { tone, icon } = decided
    ? looks[decided.hasFailed ? 'denied' : decided.outcome]
    : ({ tone: isOpen ? 'wait' : 'calm', icon: 'ask' } as const);
  return (
    <li className={`report-asked tone-${tone}`}>
      <details>
        <summary>
          <Icon name={icon} />
          <span>
            <strong className={isCall ? 'is-call' : undefined}>
              {isCall ? <Exact text={title} /> : <AgentLine text={title} />}
            </strong>
            <span className="muted number">
              {isCall ? 'A call' : 'A question'}
              {task !== undefined && (
                <>
                  {' of '}
                  <AgentLine text={task} />
                </>
              )}
              {` · ${dayAndTime(askedAt)}`}
              {waited !== undefined && ` · waited ${waited}`}
              {risk !== undefined && risk !== '' && ` · ${risk}`}
            </span>
          </span>
          <span className="fold">
            <Icon name="down" size={14} />
          </span>
        </summary>
        {whole ? (
          <Whole whole={whole} />
        ) : (
          <p className="report-more muted">
            It is too long for here: <code>clifford questions {printedWord(id)}</code>
          </p>
        )}
      </details>
      <p className="report-said">
        {decided ? (
          <>
            <b>
              <AgentText text={decided.said} />
            </b>
            <span className="muted">
              {' · '}
              <AgentLine text={`${decided.who} ${viaText(decided.via)}`} />
            </span>
          </>
        ) : (
          <b>{isOpen ? 'It is still open' : 'It ended without an answer'}</b>
        )}
      </p>
    </li>
  );
}

type WholeProps = { readonly whole: WholeRequest };

function Whole({
  whole: { isProgram, question, explanation, reason, context, options, form, call, allowed },
}: WholeProps) {
  return (
    <div className="report-more">
      {call && <Call call={call} />}
      {explanation && <Explanation {...explanation} by="A human" />}
      {allowed && (
        <>
          <p>Allowed in its place:</p>
          <Call call={allowed} />
        </>
      )}
      {question !== '' && (isProgram ? <AgentText text={question} /> : <Markdown text={question} />)}
      {reason !== undefined && <Facts facts={[{ label: 'Why it is asked', text: reason }]} />}
      {options.length > 0 && (
        <ul className="report-choices">
          {options.map((option, at) => (
            <li key={at}>
              <AgentText text={option} />
            </li>
          ))}
        </ul>
      )}
      {form.length > 0 && <Form questions={form} />}
      {context !== undefined && (isProgram ? <AgentText text={context} /> : <Markdown text={context} />)}
    </div>
  );
}

/** Questions that were asked together, with what there was to choose from. */
function Form({ questions }: { readonly questions: readonly FormQuestion[] }) {
  return (
    <ol className="report-form">
      {questions.map((asked, at) => {
        const rules = answerRules(asked);
        return (
          <li key={at}>
            <p>
              <b>
                <MarkdownLine text={asked.title} />
              </b>
              {rules !== '' && <span className="muted">{` (${rules})`}</span>}
            </p>
            {asked.question !== undefined && <Markdown text={asked.question} />}
            {asked.options && (
              <ul className="report-choices">
                {asked.options.map(({ label, description, recommended }, option) => (
                  <li key={option}>
                    <AgentText text={label} />
                    {recommended && <span className="muted"> (recommended)</span>}
                    {description !== undefined && (
                      <p className="muted">
                        <AgentText text={description} />
                      </p>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Call({ call: { args, changes } }: { readonly call: ReportedCall }) {
  return (
    <div className="call">
      {changes.map((change, at) => (
        <FileChange key={at} change={change} />
      ))}
      <Arguments args={args} shownElsewhere={textsShown(changes, args)} changes={changes} />
    </div>
  );
}
