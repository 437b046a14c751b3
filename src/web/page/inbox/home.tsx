import { Fragment } from 'react';
import type { QuestionHead } from '../../api/question.ts';
import type { SentState } from '../../api/state.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { clockText } from '../../../lib/time/clock-text.ts';
import { costText } from '../../../views/sprints/usage-text.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Ago } from '../parts/ago.tsx';
import { useNow } from '../parts/clock.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { inTokens } from '../parts/in-tokens.tsx';
import { Notice } from '../parts/notice.tsx';
import { useWhom } from '../parts/use-whom.ts';
import { RiskBadge } from '../question/risk-badge.tsx';
import { hrefOf } from '../route.ts';
import { SprintCard } from './sprint-card.tsx';

function nameOf({ sprint }: QuestionHead, sprints: SentState['sprints']): string | undefined {
  return sprint === 'adhoc' ? undefined : (sprints.find(({ id }) => id === sprint)?.name ?? sprint);
}

/** What waits for a human, the greatest risk first, and below it how everything goes. */
export function Home({ state }: { readonly state: SentState }) {
  const { questions, sprints, problems, limits, spentToday, reader } = state;
  const whom = useWhom();
  const now = useNow();
  const inSprints = sprints.filter(({ id }) => id !== 'adhoc');
  const cost = costText(spentToday);
  return (
    <div className="home">
      <header className="page-head">
        <h1>What waits</h1>
        {cost !== '' && <span className="muted number">{cost} today</span>}
      </header>
      {reader.whyNot !== undefined && (
        <Notice tone="wait" icon="lock">
          {reader.whyNot}
        </Notice>
      )}
      {problems.map((problem) => (
        <Notice key={problem} tone="wait" icon="warning">
          <AgentLine text={problem} />
        </Notice>
      ))}
      {limits.map(({ agent, until }) => (
        <Notice key={agent} tone="wait" icon="pause">
          <AgentLine text={agent} /> is at its limit until {clockText(Date.parse(until), now)}
        </Notice>
      ))}
      {sprints.length === 0 && <NoSprints />}
      {questions.length === 0 ? (
        <p className="empty muted">Nothing waits for {whom}. When an agent asks, it is here.</p>
      ) : (
        <ul className="inbox">
          {questions.map((question) => (
            <li key={question.id}>
              <InboxItem question={question} name={nameOf(question, inSprints)} />
            </li>
          ))}
        </ul>
      )}
      {inSprints.length > 0 && (
        <section aria-labelledby="all-sprints">
          <h2 id="all-sprints" className="section-head">
            Sprints
          </h2>
          <ul className="cards">
            {inSprints.map((row) => (
              <li key={row.id}>
                <SprintCard row={row} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** What to do first: a page shows sprints, and makes none. */
function NoSprints() {
  return (
    <Notice tone="calm" icon="terminal">
      There is no sprint yet. Make one in a shell, in the folder of the project:
      <span className="copy-line">
        <code>{FIRST_STEP}</code>
        <CopyButton text={FIRST_STEP} />
      </span>
    </Notice>
  );
}

const FIRST_STEP = 'clifford sprint new first';

/** How many lines a change adds and removes, behind its file. */
const COUNTS = / (\+\d+ −\d+)(?=,|$)/;

/** What a request is called; its numbers of lines stay on one line, and the options of a command in one piece. */
function Title({ text }: { readonly text: string }) {
  return text.split(COUNTS).map((part, at) =>
    at % 2 === 0 ? (
      <bdi key={at}>{inTokens(visibleLine(part))}</bdi>
    ) : (
      <Fragment key={at}>
        {' '}
        <span className="token">{part}</span>
      </Fragment>
    ),
  );
}

type InboxItemProps = {
  readonly question: QuestionHead;
  /** Of its sprint; `undefined`: that stands above. */
  readonly name: string | undefined;
  /** It says what a press of it leads to, beside other things that can be pressed. */
  readonly isToPress?: boolean;
};

/** One request, in the list of those that wait. */
export function InboxItem({ question, name, isToPress = false }: InboxItemProps) {
  const { id, kind, title, task, sprint, asker, askedAt } = question;
  return (
    <a className="inbox-item" href={hrefOf({ sprint, task, question: id })}>
      <span className={kind === 'approval' ? 'inbox-title is-code' : 'inbox-title'}>
        <Title text={title} />
      </span>
      <span className="inbox-about">
        <RiskBadge of={question} />
        <span className="inbox-place">
          {name !== undefined && (
            <span>
              <AgentLine text={name} />
            </span>
          )}
          {task !== undefined && (
            <span>
              {name !== undefined && '/ '}
              <AgentLine text={task} />
            </span>
          )}
          {name === undefined && task === undefined && (
            <span>
              <AgentLine text={asker} />
            </span>
          )}
        </span>
        <Ago since={askedAt} />
        {isToPress && <span className="button first">{kind === 'approval' ? 'Decide…' : 'Answer…'}</span>}
      </span>
      {!isToPress && <Icon name="on" />}
    </a>
  );
}
