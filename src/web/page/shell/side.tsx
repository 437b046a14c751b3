import { lazy, Suspense } from 'react';
import type { SentSprintRow, SentState } from '../../api/state.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { WaitingCount } from '../question/waiting-count.tsx';
import { hrefOf, useRoute } from '../route.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** Without a server it is of no use: it is there once that answers. */
const PushSwitch = lazy(async () => {
  for (;;) {
    try {
      return { default: (await import('./push-switch.tsx')).PushSwitch };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
});
const AGAIN_MS = 5_000;

/** The way to everything: what waits, and all sprints. On a phone it stands above the list of what waits. */
export function Side() {
  const session = useSession();
  const state = useStore(session.state);
  const { sprint, at } = useRoute();
  return (
    <header className="side">
      <div className="brand">
        <img src="./icon.svg" width="24" height="24" alt="" />
        <span className="brand-name">
          {state === undefined ? 'Clifford' : <AgentLine text={state.project} />}
        </span>
        <Suspense>
          <PushSwitch />
        </Suspense>
        <ThemeSwitch />
      </div>
      {state?.list !== undefined && (
        <a className="side-link" href={state.list}>
          <Icon name="back" />
          <span className="side-name">All projects</span>
        </a>
      )}
      {state && (
        <nav aria-label="Sprints">
          <a className="side-link" href={hrefOf({})} aria-current={sprint === undefined ? 'page' : undefined}>
            <Icon name="inbox" />
            <span className="side-name">What waits</span>
            {state.questions.length > 0 && <WaitingCount waiting={state.questions} />}
          </a>
          {/* Beside a moment of the past: these are not of it. */}
          {state.sprints.length > 0 && (
            <h2 className="side-head label">{at === undefined ? 'Sprints' : 'Sprints, as they are now'}</h2>
          )}
          <ul>
            {state.sprints.map((row) => (
              <li key={row.id}>
                <SprintLink
                  row={row}
                  isHere={row.id === sprint}
                  waiting={state.questions.filter((question) => question.sprint === row.id)}
                />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {state && <Reader state={state} />}
    </header>
  );
}

type SprintLinkProps = {
  readonly row: SentSprintRow;
  readonly isHere: boolean;
  readonly waiting: SentState['questions'];
};

function SprintLink({ row: { id, name, word, done, total }, isHere, waiting }: SprintLinkProps) {
  const isOutside = id === 'adhoc';
  return (
    <a className="side-link" href={hrefOf({ sprint: id })} aria-current={isHere ? 'page' : undefined}>
      {isOutside ? <Icon name="terminal" /> : <StateSign word={word} />}
      <span className="side-name">{isOutside ? 'Outside of sprints' : <AgentLine text={name} />}</span>
      {!isOutside && <span className="unseen">, {word}, </span>}
      {waiting.length > 0 ? (
        <WaitingCount waiting={waiting} />
      ) : (
        !isOutside && (
          <span className="number muted">
            {done}/{total}
          </span>
        )
      )}
    </a>
  );
}

function Reader({ state: { reader, version } }: { readonly state: SentState }) {
  return (
    <p className="reader">
      {reader.may === 'read' ? <Icon name="lock" size={14} /> : null}
      <span>
        {reader.may === 'read' ? 'You may look, ' : 'Answers are recorded as '}
        {reader.may === 'read' ? 'and not decide' : <AgentLine text={reader.name} />}
      </span>
      <span className="number">{version}</span>
    </p>
  );
}
